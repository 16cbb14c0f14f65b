"""What each kind of input and of training question is worth: networks that do without."""

from __future__ import annotations

from collections.abc import Callable

from figures import mean_reciprocal
from learning import MIXED, train_network
from network import Network
from question_inputs import BEST, COSINE, IN_WINDOW, JOINED, OVERLAP, OWN_LANGUAGE, PAIRS, SECOND, WINDOW, Questions

GROUPS = ("matches", "soft matches", "second", "window", "pairs", "cosine", "overlap", "first stage", "question", "own language")


def without(questions: Questions, group: str) -> Questions:
    """The questions as if one group of inputs said nothing."""
    matches, units, chunks, question = (field.clone() for field in questions.fields()[:4])
    if group in ("matches", "soft matches"):
        chunks[..., [WINDOW, PAIRS]] = 0
        matches[..., [BEST, SECOND, IN_WINDOW]] = 0
        if group == "matches":
            matches[...] = 0
    elif group == "second":
        matches[..., SECOND] = 0
    elif group == "window":
        chunks[..., WINDOW] = 0
        matches[..., IN_WINDOW] = 0
    elif group == "pairs":
        chunks[..., PAIRS] = 0
    elif group == "cosine":
        chunks[..., COSINE] = 0
        chunks[..., JOINED] = 0.65 * chunks[..., OVERLAP] ** 2
    elif group == "overlap":
        chunks[..., OVERLAP] = 0
        chunks[..., JOINED] = 0.35 * chunks[..., COSINE]
    elif group == "first stage":
        chunks[..., [COSINE, OVERLAP, JOINED]] = 0
    elif group == "question":
        question[...] = 0
    elif group == "own language":
        question[..., OWN_LANGUAGE] = 0
    else:
        raise ValueError(group)
    return Questions(matches, units, chunks, question, questions.there, questions.right, questions.dataset)


def ablate(train: dict[str, Questions], held: dict[str, Questions], judged: dict[str, Questions], steps: int) -> None:
    """What leaving out each group of inputs, or each kind of training questions, costs: one network each."""

    def line(name: str, network: Network, change: Callable[[Questions], Questions] = lambda questions: questions) -> None:
        scores = {**mean_reciprocal(network, {kind: change(own) for kind, own in held.items()}), **mean_reciprocal(network, {kind: change(own) for kind, own in judged.items()})}
        print(f"  {name:24s}" + "  ".join(f"{kind} {score:.3f}" for kind, score in scores.items()), flush=True)

    line("nothing left out", train_network(train, MIXED, steps, 1))
    for group in GROUPS:
        line("without " + group, train_network({kind: without(own, group) for kind, own in train.items()}, MIXED, steps, 1), lambda questions: without(questions, group))
    for kind in ("same", "cross", "mixed", "many"):
        line(f"without {kind} questions", train_network(train, {**MIXED, kind: 0}, steps, 1))
