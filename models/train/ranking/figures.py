"""How well questions are answered: mean reciprocal ranks with their intervals."""

from __future__ import annotations

import collections
import math

import numpy as np
import torch

from torch import nn

from network import FAR_BELOW, judge
from question_inputs import JOINED, UNANSWERABLE, Questions, QuestionSet, by_kind

DEPTH = 10
# Of a normal distribution: 95 % lie within so many deviations of its mean.
WITHIN_95 = 1.96


def reciprocal_ranks(values: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Of every answerable question: 1 / the place of the right candidate by `values`, 0 when that is not among the first ten; of equals, half stand before it."""
    values, right = values[right != UNANSWERABLE], right[right != UNANSWERABLE]
    own = values.gather(1, right.clamp(min=0)[:, None])
    place = 1 + (values > own).sum(1) + ((values == own).sum(1) - 1) / 2
    return torch.where((right >= 0) & (place <= DEPTH), 1 / place, torch.zeros_like(place))


def first_stage(questions: Questions) -> torch.Tensor:
    """Values by which candidates stood before they were read."""
    return questions.chunks[..., JOINED].masked_fill(~questions.there, FAR_BELOW)


def interval(numbers: torch.Tensor) -> float:
    """Half the width of the 95 % interval of the mean."""
    return WITHIN_95 * float(numbers.std()) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.inf


def compared(before: torch.Tensor, after: torch.Tensor) -> str:
    change = after - before
    return f"{len(after):5d} questions  {before.mean():.3f} → {after.mean():.3f} ± {interval(after):.3f}  ({change.mean():+.3f} ± {interval(change):.3f})"


def mean_reciprocal(network: nn.Module, kinds: dict[str, Questions]) -> dict[str, float]:
    return {kind: float(reciprocal_ranks(judge(network, questions)[0], questions.right).mean()) for kind, questions in kinds.items()}


def balanced(scores: dict[str, float]) -> float:
    return sum(scores.values()) / len(scores)


def report(network: nn.Module, sets: list[QuestionSet]) -> None:
    """Per set, per kind, and per language of the questions across languages."""
    for kind, own in by_kind(sets).items():
        languages = collections.defaultdict(list)
        befores, afters = [], []
        for questions in own:
            before = reciprocal_ranks(first_stage(questions.questions), questions.questions.right)
            after = reciprocal_ranks(judge(network, questions.questions)[0], questions.questions.right)
            befores.append(before)
            afters.append(after)
            if questions.for_judging() and len(own) < 8:
                print(f"  {questions.name:28s}{compared(before, after)}")
            asked = [language for language, right in zip(questions.languages, questions.questions.right.tolist()) if right != UNANSWERABLE]
            for language, one, other in zip(asked, before.tolist(), after.tolist()):
                languages[language].append((one, other))
        print(f"{kind:30s}{compared(torch.cat(befores), torch.cat(afters))}")
        if "cross" in kind or "mixed" in kind or "many" in kind:
            parts = [f"{language} {np.mean(pairs, axis=0)[0]:.2f}→{np.mean(pairs, axis=0)[1]:.2f}" for language, pairs in sorted(languages.items())]
            print("    " + ", ".join(parts))
