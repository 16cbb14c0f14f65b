"""Fits how sure results are, for one way of giving candidates values, and says how well that tells right results from wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from answerable import TOLD_WRONGLY, shown, surest, train_answerable
from confidence import Confidence, calibration, evidence, found, scored, train_confidence
from question_inputs import UNANSWERABLE, Questions
from ranking_file import DIGITS, layers, round_weights

# Values and judgements of questions' candidates.
Values = Callable[[Questions], tuple[torch.Tensor, torch.Tensor]]

BANDS = ((0.9, 1.01), (0.8, 0.9), (0.7, 0.8), (0.5, 0.7), (0.3, 0.5), (0.1, 0.3))
SURE = 0.7
# What makes a softmax of values the likeliest.
SHARPNESSES = (1, 2, 3, 5, 7, 10, 14, 20, 30)


@dataclass
class Scores:
    """Scores of the ten best results of each question, best first; which are right; what is right of each question; and how sure it is that something answers it."""

    scores: np.ndarray
    right: np.ndarray
    answers: np.ndarray
    answerable: np.ndarray


class Fitted:
    def __init__(self, values: Values, train: dict[str, Questions], held: dict[str, Questions], elsewhere: dict[str, Questions], floored: tuple[str, ...], sharpness: float | None = None):
        """`elsewhere`: questions of which some are about other topics than the dataset. `floored`: the kinds of questions, held or elsewhere, by which
        the floor is chosen. Without a sharpness the likeliest is taken."""
        self._values = values
        self._sharpness = sharpness if sharpness is not None else likeliest(values, train)
        self._confidence = train_confidence([self._found(questions) for questions in (train | elsewhere).values()], 1)
        round_weights(self._confidence)
        own = {kind: self._logits(questions) for kind, questions in held.items()}
        weights = np.concatenate([np.full(logits.size, 1 / len(logits)) for logits, _right in own.values()])
        points = calibration(np.concatenate([logits.ravel() for logits, _right in own.values()]), np.concatenate([right.ravel() for _logits, right in own.values()]), weights)
        self._points = [(round(x, DIGITS), round(y, DIGITS)) for x, y in points]
        self._answerable = train_answerable([(self._shown(questions, self._scores(questions)[0])[:, 0], questions.right) for questions in (train | elsewhere).values()], 1)
        round_weights(self._answerable)
        by = [(held | elsewhere)[kind] for kind in floored]
        answered = np.concatenate([surest(self._answerable, self._shown(questions, self._scores(questions)[0]), 0)[questions.right.numpy() != UNANSWERABLE] for questions in by])
        self._floor = round(float(np.quantile(answered, TOLD_WRONGLY)), 3)

    def _found(self, questions: Questions) -> tuple[torch.Tensor, torch.Tensor]:
        return found(*self._values(questions), self._sharpness, questions)

    def _logits(self, questions: Questions) -> tuple[np.ndarray, np.ndarray]:
        inputs, right = self._found(questions)
        with torch.no_grad():
            return self._confidence(inputs).numpy(), right.numpy()

    def _scores(self, questions: Questions) -> tuple[np.ndarray, np.ndarray]:
        logits, right = self._logits(questions)
        return scored(logits, self._points), right

    def _shown(self, questions: Questions, scores: np.ndarray) -> torch.Tensor:
        places = self._values(questions)[0].topk(scores.shape[1], dim=1)[1]
        return shown(evidence(questions, places), torch.from_numpy(scores).float(), places, questions)

    def of(self, questions: Questions) -> Scores:
        scores, right = self._scores(questions)
        return Scores(scores, right, questions.right.numpy(), surest(self._answerable, self._shown(questions, scores)))

    def report(self, kinds: dict[str, Questions]) -> None:
        print(f"floor {self._floor}, sharpness {self._sharpness}")
        for kind, questions in kinds.items():
            print(f"  {kind:18s}" + figures(self.of(questions), self._floor))

    def weights(self) -> int:
        return sum(values.numel() for values in self._confidence.parameters())

    def document(self) -> dict:
        return {"layers": layers(self._confidence.sure), "calibration": self._points, "sharpness": self._sharpness, "answerable": layers(self._answerable), "floor": self._floor}


def likeliest(values: Values, kinds: dict[str, Questions]) -> float:
    losses = {}
    own = [(values(questions)[0], questions.right) for questions in kinds.values()]
    for sharpness in SHARPNESSES:
        losses[sharpness] = sum(float(torch.nn.functional.cross_entropy(of[right >= 0] * sharpness, right[right >= 0])) for of, right in own)
    return min(losses, key=lambda sharpness: losses[sharpness])


def figures(own: Scores, floor: float) -> str:
    """How many first results are scored `SURE` and more, of those that are right, those that are wrong, and those of questions that nothing answers; how many results of
    each band are right; how many questions are told that nothing answers them, of those that nothing answers and of the others."""
    answerable, first, is_right = own.answers != UNANSWERABLE, own.scores[:, 0], own.right[:, 0] > 0

    def share(chosen: np.ndarray, of: np.ndarray) -> str:
        return f"{chosen[of].mean():.2f}" if of.any() else "-"

    bands = [f"{low}: {share(own.right > 0, (own.scores >= low) & (own.scores < high))}" for low, high in BANDS]
    return (
        f"{SURE} and more: right {share(first >= SURE, answerable & is_right)}, wrong {share(first >= SURE, answerable & ~is_right)}, unanswerable {share(first >= SURE, ~answerable)}; "
        f"right of {', '.join(bands)}; below the floor: unanswerable {share(own.answerable < floor, ~answerable)}, answerable {share(own.answerable < floor, answerable)}"
    )
