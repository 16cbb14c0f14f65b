"""How sure it is that a dataset answers the question at all, as far as one result shows: whether to answer or to say that the documents do not.

A score asks whether this result is the right one among the others; where nothing answers, some result is still the best by far, and most of all in a
small dataset. What tells is how much of the question it holds (the plain sum of evidence), beside its score, the question's length, and
how large the dataset is and how much of it is in the question's language: across languages little is held even by what answers."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from question_inputs import COMMON, COMMONEST, COSINE, DATASET_SIZE, OVERLAP, OWN_LANGUAGE, UNIT_COUNT, UNANSWERABLE, Questions
from server_numbers import server_number

INPUTS = 9
SCORE = 1
WIDTH = 8
STEPS, RATE, DECAY = 1500, 0.01, 1e-3
# Of every kind of question, in each step.
QUESTIONS_A_STEP = 200
# Scores are taken no nearer to 0 and 1, where logits have no end.
NEAREST = 1e-3
# A result that is right less than one time in ten shows nothing, whatever it holds.
LEAST_SCORE = server_number("src/ranking/network.ts", "LEAST_SCORE")
# The share of questions that nothing answers, in every kind.
EXPECTED = 0.33
# Of the questions that something answers, so many may be told that nothing does: who is told so wrongly gets no answer at all.
TOLD_WRONGLY = 0.06
# Results that are looked at for one that answers, best first.
LOOKED_AT = server_number("src/answers/floor.ts", "LOOKED_AT")


def shown(held: torch.Tensor, scores: torch.Tensor, places: torch.Tensor, questions: Questions) -> torch.Tensor:
    """What n × r results show (n × r × INPUTS), of how much of the question each holds, its score, and its place among the candidates."""
    score = scores.clamp(NEAREST, 1 - NEAREST)
    chunks = questions.chunks[torch.arange(len(questions))[:, None], places]
    common = [questions.question[:, UNIT_COUNT], questions.question[:, OWN_LANGUAGE], questions.question[:, DATASET_SIZE], questions.dataset[:, COMMON], questions.dataset[:, COMMONEST]]
    return torch.stack([held, torch.log(score / (1 - score)), *(of[:, None].expand_as(held) for of in common), chunks[..., COSINE], chunks[..., OVERLAP]], -1)


def train_answerable(kinds: list[tuple[torch.Tensor, torch.Tensor]], seed: int) -> nn.Sequential:
    """`kinds`: what the first results of the questions of each kind show (n × INPUTS), and the questions' right candidates. Kinds count alike."""
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    every = torch.cat([inputs for inputs, _right in kinds])
    mean, deviation = every.mean(0), every.std(0) + 1e-6
    network = nn.Sequential(nn.Linear(INPUTS, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1))
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=STEPS)
    answered = [(right != UNANSWERABLE).float() for _inputs, right in kinds]
    weights = [torch.where(own > 0, (1 - EXPECTED) / own.mean(), EXPECTED / (1 - own.mean())) for own in answered]
    for _step in range(STEPS):
        loss = torch.zeros(())
        for (inputs, _right), own, weight in zip(kinds, answered, weights):
            rows = torch.randint(len(inputs), (QUESTIONS_A_STEP,), generator=generator)
            logits = network((inputs[rows] - mean) / deviation)[:, 0]
            loss = loss + nn.functional.binary_cross_entropy_with_logits(logits, own[rows], weight[rows])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    # Learnt on standard scores, which no input dominates, and written for the inputs as they are.
    with torch.no_grad():
        network[0].weight /= deviation
        network[0].bias -= network[0].weight @ mean
    return network


def surest(network: nn.Sequential, results: torch.Tensor, least_score: float = LEAST_SCORE) -> np.ndarray:
    """0-1 for each question: what the surest of the first results shows (`results`: n × r × INPUTS)."""
    first = results[:, :LOOKED_AT]
    with torch.no_grad():
        sure = torch.sigmoid(network(first)[..., 0])
    return torch.where(torch.sigmoid(first[..., SCORE]) < least_score, 0, sure).max(1)[0].numpy()
