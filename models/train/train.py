"""Trains the table of token rows by contrast: of a block's right-hand texts the left-hand text's own must be nearest, and
the other way round.

    python3 train.py TOKENS JUDGING_TOKENS START OUTPUT.npy STEPS [SEED [RATE [SOURCES]]]

START is a table to go on from (quantise.py makes one of a model that is there) or "random", which starts from random
vectors weighted by rarity: already a matcher of words. SOURCES, with commas between them, are beginnings of the names of the sources to
train on; without, all are. OUTPUT.npy and OUTPUT.sums.npy (the optimiser's state, used again
when training goes on from OUTPUT.npy) are written at every checkpoint; a file OUTPUT.steps with a number, written
meanwhile, changes STEPS (the rate falls in a line to its end)."""

import math
import multiprocessing
import os
import sys
import time

import numpy as np
import torch

from embedding import bags, embed
from evaluate import Judge
from ranking.server_numbers import server_number
from tasks import Sampler
from together import working
from tokenizer import VOCABULARY

DIMENSIONS = server_number("src/ranking/unit-vectors.ts", "DIMENSIONS")
BLOCK = 512
# A batch is several parts, each of two blocks: every text is told apart from the other texts of its part.
PARTS, BLOCKS_PER_PART = 2, 2
SCALE = 20.0
# Random rows must be moved far; the other rate goes on from rows that are good already.
RATE_FROM_RANDOM, RATE_FROM_TABLE = 0.6, 0.2
RATE_AT_END = 0.04
WARM_UP_STEPS = 40
# A row that is first met has its step shrunk as if it had been met so often before; 0 when starting from random.
EARLIER_MEETINGS = 40
CHECKPOINT_STEPS = 400
# What is kept is a running average of the table: the rows themselves jitter with every batch.
AVERAGED_EVERY_STEPS, NEWEST_SHARE = 20, 0.08
# Processes that change one table without waiting for each other (Hogwild: Niu et al., 2011); texts share few tokens.
WORKERS = 2


def random_table(sampler: Sampler) -> torch.Tensor:
    counts = np.ones(VOCABULARY)
    for group in sampler.groups:
        own = group.ids[group.starts[group.first] : group.starts[group.first + 2 * group.size]]
        counts += np.bincount(own, minlength=VOCABULARY) * min(1, 20000 / group.size)
    weight = np.log(1 + 3e-3 / (counts / counts.sum()))
    noise = torch.randn(VOCABULARY, DIMENSIONS) / math.sqrt(DIMENSIONS)
    return noise * torch.from_numpy((weight / weight.max()).astype(np.float32))[:, None]


def draw_batch(sampler: Sampler) -> tuple[list[np.ndarray], list[int]]:
    """Each part's left texts, then its right ones, part after part; how many pairs each part has."""
    texts, sizes = [], []
    for _part in range(PARTS):
        pairs = [pair for _block in range(BLOCKS_PER_PART) for pair in sampler.block(BLOCK)]
        texts += [pair[0] for pair in pairs] + [pair[1] for pair in pairs]
        sizes.append(len(pairs))
    return texts, sizes


def part_loss(left: torch.Tensor, right: torch.Tensor, left_texts: list[np.ndarray], right_texts: list[np.ndarray]) -> torch.Tensor:
    """Equal texts are no wrong answers to each other."""
    marks = [torch.from_numpy(np.array([hash(text.tobytes()) for text in texts])) for texts in (left_texts, right_texts)]
    same = (marks[0][:, None] == marks[0]) | (marks[1][:, None] == marks[1])
    same.fill_diagonal_(False)
    scores = (SCALE * left @ right.T).masked_fill_(same, -1e4)
    own = torch.arange(len(left))
    return (torch.nn.functional.cross_entropy(scores, own) + torch.nn.functional.cross_entropy(scores.T, own)) / 2


class RowAdagrad:
    """Adagrad with one sum per row; a row's step is relative to its length, since one step for all would wreck the
    frequent tokens, whose rows are short."""

    def __init__(self, table: torch.Tensor, sums: torch.Tensor, earlier_meetings: float):
        self._table = table
        self._sums = sums.share_memory_()
        self._earlier = earlier_meetings

    def step(self, rows: torch.Tensor, values: torch.Tensor, gradient: torch.Tensor, rate: float) -> None:
        squares = (gradient.norm(dim=1, keepdim=True) / math.sqrt(DIMENSIONS)).square_()
        before = self._sums[rows]
        sums = torch.where(before == 0, squares * (1 + self._earlier), before + squares)
        self._sums[rows] = sums
        length = values.norm(dim=1, keepdim=True).clamp_(min=0.03) / math.sqrt(DIMENSIONS)
        self._table.index_add_(0, rows, gradient.mul_(-rate * length / (sums.sqrt() + 1e-12)))


def take_step(sampler: Sampler, table: torch.Tensor, optimiser: RowAdagrad, rate: float) -> float:
    """One batch; its loss."""
    texts, sizes = draw_batch(sampler)
    ids, starts, weights = bags(texts)
    rows, inverse = torch.unique(ids, return_inverse=True)
    values = table[rows].requires_grad_(True)
    sides = embed(values, inverse, starts, weights).split([size for size in sizes for _side in (0, 1)])
    losses, at = [], 0
    for part, size in enumerate(sizes):
        middle, end = at + size, at + 2 * size
        losses.append(part_loss(sides[2 * part], sides[2 * part + 1], texts[at:middle], texts[middle:end]))
        at = end
    loss = sum(losses) / len(losses)
    loss.backward()
    with torch.no_grad():
        optimiser.step(rows, values.detach(), values.grad, rate)
    return loss.item()


class Plan:
    """How many steps all workers together are to take, and have taken."""

    def __init__(self, output: str, steps: int):
        self._path = output.replace(".npy", ".steps")
        self._planned = steps
        self._taken = torch.zeros(WORKERS, dtype=torch.int64).share_memory_()

    def took(self, worker: int) -> None:
        self._taken[worker] += 1

    def taken(self) -> int:
        return int(self._taken.sum())

    def planned(self) -> int:
        if os.path.exists(self._path):
            with open(self._path, encoding="utf8") as file:
                self._planned = int(file.read())
        return self._planned


def work(worker: int, sampler: Sampler, table: torch.Tensor, optimiser: RowAdagrad, plan: Plan, first_rate: float, seed: int) -> None:
    torch.set_num_threads(1)
    sampler.reseed(seed * WORKERS + worker)
    step, mean = 0, 0.0
    while (taken := plan.taken()) < (planned := plan.planned()):
        rate = first_rate * min(1, (taken + 1) / WARM_UP_STEPS) * max(RATE_AT_END, 1 - taken / planned)
        loss = take_step(sampler, table, optimiser, rate)
        plan.took(worker)
        step += 1
        mean = loss if step == 1 else 0.98 * mean + 0.02 * loss
        if step % 25 == 0:
            print(f"worker {worker}: {taken}/{planned}, {time.process_time():.0f} s of CPU, loss {mean:.3f}", flush=True)


def train(tokens: str, judging: str, start: str, output: str, steps: int, seed: int, first_rate: float, sources: tuple[str, ...]) -> None:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    sampler = Sampler(tokens, seed, sources)
    print(f"{len(sampler.groups)} groups, {sum(g.size for g in sampler.groups)} pairs, seed {seed}", flush=True)
    table = random_table(sampler) if start == "random" else torch.from_numpy(np.load(start).astype(np.float32))
    table.share_memory_()
    earlier = start.replace(".npy", ".sums.npy")
    sums = torch.from_numpy(np.load(earlier)) if os.path.exists(earlier) else torch.zeros(VOCABULARY, 1)
    optimiser = RowAdagrad(table, sums, 0 if start == "random" else EARLIER_MEETINGS)
    plan, judge = Plan(output, steps), Judge(judging)
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=work, args=(i, sampler, table, optimiser, plan, first_rate, seed)) for i in range(WORKERS)]
    average, next_average, next_checkpoint = table.clone(), AVERAGED_EVERY_STEPS, CHECKPOINT_STEPS
    for _look in working(workers):
        if plan.taken() >= next_average:
            average.lerp_(table, NEWEST_SHARE)
            next_average += AVERAGED_EVERY_STEPS
        if plan.taken() >= next_checkpoint:
            next_checkpoint += CHECKPOINT_STEPS
            checkpoint(average, sums, output, judge, plan)
    checkpoint(average, sums, output, judge, plan)


def checkpoint(table: torch.Tensor, sums: torch.Tensor, output: str, judge: Judge, plan: Plan) -> None:
    np.save(output, table.numpy().astype(np.float16))
    np.save(output.replace(".npy", ".sums.npy"), sums.numpy())
    print("checkpoint", plan.taken(), {name: round(score, 4) for name, score in judge.quick(table).items()}, flush=True)


if __name__ == "__main__":
    tokens, judging, start, output, steps, *rest = sys.argv[1:]
    seed = int(rest[0]) if rest else 1
    rate = float(rest[1]) if len(rest) > 1 else RATE_FROM_RANDOM if start == "random" else RATE_FROM_TABLE
    train(tokens, judging, start, output, int(steps), seed, rate, tuple(rest[2].split(",")) if len(rest) > 2 else ("",))
