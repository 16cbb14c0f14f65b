"""How sure it is that a result answers the question: a second network on what the first one found, and a curve that makes its logits scores."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from network import JUDGEMENTS, judge_plainly
from question_inputs import COSINE, DATASET_SIZE, OVERLAP, OWN_LANGUAGE, PAIRS, UNIT_COUNT, WINDOW, Questions
from server_numbers import server_number

RESULTS = server_number("src/ranking/network.ts", "JUDGED_RANKS")
INPUTS = 3 + 4 + JUDGEMENTS + 2 + 1 + 4
WIDTH = 16
STEPS, RATE, DECAY = 1500, 0.01, 1e-3
# Of every kind of question, in each step.
QUESTIONS_A_STEP = 200
# Stands for how much of the question is held where there is no candidate.
NOTHING_HELD = -1
# Results that make up a point of the curve before neighbours out of order are joined.
POINTS = 60


class Confidence(nn.Module):
    def __init__(self):
        super().__init__()
        self.sure = nn.Sequential(nn.Linear(INPUTS, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1))

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """A logit for each result (n × RESULTS), never higher than that of the result before it."""
        return torch.cummin(self.sure(inputs)[..., 0], 1)[0]

    def before_order(self, inputs: torch.Tensor) -> torch.Tensor:
        return self.sure(inputs)[..., 0]


def found(values: torch.Tensor, pooled: torch.Tensor, sharpness: float, questions: Questions) -> tuple[torch.Tensor, torch.Tensor]:
    """What is known of the ten best results of each question by their values (n × RESULTS × INPUTS), and which of them are right (n × RESULTS, 0 or 1)."""
    best, places = values.topk(RESULTS, dim=1)
    row = torch.arange(len(questions))[:, None]
    next_best = torch.cat([best[:, 1:2], best[:, :1].expand(-1, RESULTS - 1)], 1)
    share = torch.log_softmax(values * sharpness, 1).gather(1, places)
    chunks = questions.chunks[row, places]
    own = questions.question[:, [OWN_LANGUAGE, UNIT_COUNT]][:, None].expand(-1, RESULTS, -1)
    rank = (torch.arange(RESULTS) / RESULTS).expand(len(questions), -1)
    inputs = torch.cat([
        torch.stack([best - best[:, :1], best - next_best, share], -1),
        chunks[..., [WINDOW, PAIRS, COSINE, OVERLAP]],
        pooled[row, places],
        own,
        rank[..., None],
        evidence(questions, places)[..., None],
        torch.cat([questions.question[:, [DATASET_SIZE]], questions.dataset], 1)[:, None].expand(-1, RESULTS, -1),
    ], -1)
    return inputs, (places == questions.right[:, None]).float()


def evidence(questions: Questions, places: torch.Tensor) -> torch.Tensor:
    """How much of the question the candidates at `places` hold: the plain sum of evidence."""
    return judge_plainly(questions)[0].gather(1, places).clamp(min=NOTHING_HELD)


def train_confidence(kinds: list[tuple[torch.Tensor, torch.Tensor]], seed: int) -> Confidence:
    """`kinds`: what `found` gives of the questions of each kind, which count alike."""
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    network = Confidence()
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=STEPS)
    for _step in range(STEPS):
        loss = 0
        for inputs, right in kinds:
            rows = torch.randint(len(inputs), (QUESTIONS_A_STEP,), generator=generator)
            loss = loss + nn.functional.binary_cross_entropy_with_logits(network.before_order(inputs[rows]), right[rows])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return network


def calibration(logits: np.ndarray, right: np.ndarray, weights: np.ndarray) -> list[tuple[float, float]]:
    """Points (logit, share of right results) that only rise, between which one interpolates: isotonic regression (pool adjacent
    violators: Ayer et al., 1955) of results in portions of equally many right or wrong ones, whichever are fewer."""
    order = np.argsort(logits)
    logits, right, weights = logits[order], right[order], weights[order]
    # Most results are wrong beyond doubt: portions of equal size would leave few where it matters.
    shares = 1 / (1 + np.exp(-logits))
    matter = np.cumsum(weights * np.sqrt(shares * (1 - shares)))
    portions = np.minimum((matter / matter[-1] * POINTS).astype(int), POINTS - 1)
    blocks: list[list[float]] = []
    for portion in np.unique(portions):
        own = portions == portion
        weight = weights[own].sum()
        blocks.append([float((logits * weights)[own].sum() / weight), float((right * weights)[own].sum() / weight), float(weight)])
        while len(blocks) > 1 and blocks[-2][1] >= blocks[-1][1]:
            (x1, y1, w1), (x2, y2, w2) = blocks.pop(), blocks.pop()
            weight = w1 + w2
            blocks.append([(x1 * w1 + x2 * w2) / weight, (y1 * w1 + y2 * w2) / weight, weight])
    return [(x, y) for x, y, _weight in blocks]


def scored(logits: np.ndarray, points: list[tuple[float, float]]) -> np.ndarray:
    return np.interp(logits, [x for x, _ in points], [y for _, y in points])
