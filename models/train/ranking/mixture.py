"""Two networks in one: what ranks best in datasets of one language gives way, as far as a dataset is mixed, to what ranks best in those.

In one language the mean of a network and of the plain sum of evidence is steadier than either. In a mixed dataset the plain sum
prefers passages of the asker's language, right or wrong, and only the second network speaks. A gate of a few numbers tells how mixed a
dataset is. src/ranking/network.ts is the same in use."""

from __future__ import annotations

import torch
from torch import nn

from network import Network, judge_plainly
from question_inputs import COMMON, COMMONEST, LENGTH, OWN_LANGUAGE, Questions

GATE_INPUTS = 8
GATE_STEPS, GATE_RATE = 600, 0.03
# What a question of each kind counts for when the gate is trained: most of what is asked is asked in datasets of one language.
COUNTS = {"same": 2.0, "cross": 1.5, "mixed": 1.0, "many": 1.0}
PLAIN_SCALES = (3, 4, 5, 6, 7, 8, 9, 10, 12, 14)


def gate_inputs(questions: Questions) -> torch.Tensor:
    """n × GATE_INPUTS: how many chunks share the commonest tokens, how long chunks are, how much of the dataset is in the question's language; and products."""
    common, commonest = questions.dataset[:, COMMON], questions.dataset[:, COMMONEST]
    own = questions.question[:, OWN_LANGUAGE]
    there = questions.there.float()
    length = (questions.chunks[..., LENGTH] * there).sum(1) / there.sum(1) / 5
    return torch.stack([common, commonest, length, own, common * length, commonest * length, own * common, own * own], 1)


class Mixture(nn.Module):
    def __init__(self, single: Network, mixed: Network, plain_scale: float):
        super().__init__()
        self.single, self.mixed, self.plain_scale = single, mixed, plain_scale
        self.gate = nn.Linear(GATE_INPUTS, 1)

    def forward(self, questions: Questions) -> tuple[torch.Tensor, torch.Tensor]:
        return self.together(questions, *self.parts(questions))

    def parts(self, questions: Questions) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        single, pooled = self.single(questions)
        mixed, mixed_pooled = self.mixed(questions)
        return (single + self.plain_scale * judge_plainly(questions)[0].clamp(min=-10)) / 2, mixed, pooled, mixed_pooled

    def together(self, questions: Questions, single: torch.Tensor, mixed: torch.Tensor, pooled: torch.Tensor, mixed_pooled: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        share = torch.sigmoid(self.gate(gate_inputs(questions)))
        return (1 - share) * single + share * mixed, (1 - share[..., None]) * pooled + share[..., None] * mixed_pooled


def likeliest_scale(kinds: dict[str, Questions]) -> float:
    """What the plain sum is multiplied by for its softmax to be the likeliest."""
    own = [(judge_plainly(questions)[0], questions.right) for questions in kinds.values()]
    losses = {scale: sum(float(nn.functional.cross_entropy(values * scale, right)) for values, right in own) for scale in PLAIN_SCALES}
    return min(losses, key=lambda scale: losses[scale])


def train_gate(mixture: Mixture, kinds: dict[str, Questions]) -> None:
    """Only the gate learns."""
    with torch.no_grad():
        # A part at a time: all questions' inputs at once would fill the memory.
        parts = {kind: [mixture.parts(questions.at(rows)) for rows in torch.arange(len(questions)).split(256)] for kind, questions in kinds.items()}
    known = {kind: tuple(torch.cat(column) for column in zip(*own)) for kind, own in parts.items()}
    nn.init.zeros_(mixture.gate.weight)
    optimiser = torch.optim.Adam(mixture.gate.parameters(), GATE_RATE)
    for _step in range(GATE_STEPS):
        loss = torch.zeros(())
        for kind, questions in kinds.items():
            values, _pooled = mixture.together(questions, *known[kind])
            loss = loss + COUNTS[kind] * nn.functional.cross_entropy(values, questions.right, reduction="sum")
        optimiser.zero_grad()
        (loss / sum(map(len, kinds.values()))).backward()
        optimiser.step()


def gate_shares(mixture: Mixture, kinds: dict[str, Questions]) -> dict[str, float]:
    """How mixed the datasets of each kind are taken to be, in the mean."""
    with torch.no_grad():
        return {kind: float(torch.sigmoid(mixture.gate(gate_inputs(questions))).mean()) for kind, questions in kinds.items()}


