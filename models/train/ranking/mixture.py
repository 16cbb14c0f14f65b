"""Two networks in one: what ranks best in datasets of one language gives way, as far as a dataset is mixed, to what ranks best in those.

In one language the mean of a network and of the plain sum of evidence is steadier than either. In a mixed dataset the plain sum
prefers passages of the asker's language, right or wrong, and only the second network speaks. A gate of a few numbers tells how mixed a
dataset is. src/ranking/network.ts is the same in use."""

from __future__ import annotations

import math

import torch
from torch import nn

from network import Network, judge, judge_plainly
from question_inputs import COMMON, COMMONEST, DATASET_SIZE, JOINED, LENGTH, OWN_LANGUAGE, Questions
from server_numbers import server_number

GATE_INPUTS = 8
GATE_STEPS, GATE_RATE = 600, 0.03
# What a question of each kind counts for when the gate is trained: most of what is asked is asked in datasets of one language.
COUNTS = {"same": 4.0, "cross": 3.0, "mixed": 1.0, "many": 1.0}
# What the plain sum is multiplied by, so that it is as sure as the network beside it.
PLAIN_SCALE = 8
# What the first stage's similarity adds beside the network for mixed datasets: right first results are lost in datasets of a few dozen chunks without it.
FIRST_STAGE_SCALE = 6
# Below so many chunks it speaks louder: once more for each time that the dataset is smaller by e.
SMALL_DATASET = server_number("src/ranking/network.ts", "SMALL_DATASET")


def gate_inputs(questions: Questions) -> torch.Tensor:
    """n × GATE_INPUTS: how many chunks share the commonest tokens, how long chunks are, how much of the dataset is in the question's language; and products."""
    common, commonest = questions.dataset[:, COMMON], questions.dataset[:, COMMONEST]
    own = questions.question[:, OWN_LANGUAGE]
    there = questions.there.float()
    length = (questions.chunks[..., LENGTH] * there).sum(1) / there.sum(1) / 5
    return torch.stack([common, commonest, length, own, common * length, commonest * length, own * common, own * own], 1)


class Mixture(nn.Module):
    def __init__(self, single: Network, mixed: Network):
        super().__init__()
        self.single, self.mixed = single, mixed
        self.gate = nn.Linear(GATE_INPUTS, 1)

    def forward(self, questions: Questions) -> tuple[torch.Tensor, torch.Tensor]:
        single, pooled = self.single(questions)
        mixed, mixed_pooled = self.mixed(questions)
        smaller = 1 + (math.log(SMALL_DATASET) - 10 * questions.question[:, DATASET_SIZE]).clamp(min=0)
        mixed = mixed + FIRST_STAGE_SCALE * smaller[:, None] * questions.chunks[..., JOINED]
        single = (single + PLAIN_SCALE * judge_plainly(questions)[0]) / 2
        share = torch.sigmoid(self.gate(gate_inputs(questions)))
        return (1 - share) * single + share * mixed, (1 - share[..., None]) * pooled + share[..., None] * mixed_pooled


def train_gate(mixture: Mixture, kinds: dict[str, Questions]) -> None:
    """Only the gate learns, between what the two networks say by themselves."""
    with torch.no_grad():
        known = {kind: (judge(mixture.single, questions)[0], judge(mixture.mixed, questions)[0]) for kind, questions in kinds.items()}
    # Learnt on standard scores, which no input dominates, and written for the inputs as they are.
    inputs = torch.cat([gate_inputs(questions) for questions in kinds.values()])
    mean, deviation = inputs.mean(0), inputs.std(0)
    nn.init.zeros_(mixture.gate.weight)
    nn.init.zeros_(mixture.gate.bias)
    optimiser = torch.optim.Adam(mixture.gate.parameters(), GATE_RATE)
    for _step in range(GATE_STEPS):
        loss = torch.zeros(())
        for kind, questions in kinds.items():
            share = torch.sigmoid(mixture.gate((gate_inputs(questions) - mean) / deviation))
            single, mixed = known[kind]
            values = (1 - share) * single + share * mixed
            loss = loss + COUNTS[kind] * nn.functional.cross_entropy(values, questions.right, reduction="sum")
        optimiser.zero_grad()
        (loss / sum(map(len, kinds.values()))).backward()
        optimiser.step()
    with torch.no_grad():
        mixture.gate.weight /= deviation
        mixture.gate.bias -= (mixture.gate.weight * mean).sum()


def gate_shares(mixture: Mixture, kinds: dict[str, Questions]) -> dict[str, float]:
    """How mixed the datasets of each kind are taken to be, in the mean."""
    with torch.no_grad():
        return {kind: float(torch.sigmoid(mixture.gate(gate_inputs(questions))).mean()) for kind, questions in kinds.items()}


