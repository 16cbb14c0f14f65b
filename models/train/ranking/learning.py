"""Trains the ranking network: the right candidate of each question is to have the highest value of all."""

from __future__ import annotations

import time

import torch

from network import Network
from question_inputs import Questions

RATE, DECAY, LONGEST_GRADIENT = 8e-3, 0.02, 1.0
# Questions of each kind in a step, for the network of datasets in one language and for that of mixed ones.
ONE_LANGUAGE = {"same": 40, "cross": 24}
MIXED = {"same": 40, "cross": 24, "mixed": 10, "many": 4}
# How many candidates are left in half of the steps: datasets and requests have fewer than fifty too.
FEWER = (25, 25, 10)
# Steps between two lines that tell how it goes.
TOLD_EVERY = 500


def answerable(questions: Questions) -> Questions:
    return questions.at((questions.right >= 0).nonzero()[:, 0])


def fewer_candidates(batch: Questions, count: int, generator: torch.Generator) -> Questions:
    """The right candidate and others by chance, `count` in all."""
    chances = torch.rand(batch.there.shape, generator=generator).masked_fill(~batch.there, -1)
    chances[torch.arange(len(batch)), batch.right] = 2
    places = chances.topk(count, dim=1)[1]
    return batch.candidates_at(places, torch.zeros(len(batch), dtype=torch.long))


def train_network(kinds: dict[str, Questions], a_step: dict[str, int], steps: int, seed: int) -> Network:
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    network = Network()
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps)
    started, total = time.time(), 0.0
    for step in range(steps):
        loss = 0
        for kind, count in a_step.items():
            questions = kinds[kind]
            batch = questions.at(torch.randint(len(questions), (count,), generator=generator))
            if torch.rand(1, generator=generator) < 0.5:
                fewer = FEWER[int(torch.randint(len(FEWER), (1,), generator=generator))]
                batch = fewer_candidates(batch, fewer, generator)
            values, _pooled = network(batch)
            loss = loss + torch.nn.functional.cross_entropy(values, batch.right) * (count / 24) ** 0.5
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), LONGEST_GRADIENT)
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step % TOLD_EVERY == TOLD_EVERY - 1:
            print(f"  seed {seed}, step {step + 1}: loss {total / TOLD_EVERY:.3f}, {time.time() - started:.0f} s", flush=True)
            total = 0.0
    return network
