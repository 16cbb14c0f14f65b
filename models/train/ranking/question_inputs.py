"""Reads what inputs.ts wrote: the numbers that the server's code makes of questions and their candidates."""

import collections
import json
import os
from dataclasses import dataclass

import numpy as np
import torch

from server_numbers import server_number

MATCHES = server_number("src/ranking/inputs.ts", "MATCH_INPUTS")
UNIT = server_number("src/ranking/inputs.ts", "UNIT_INPUTS")
CHUNK = server_number("src/ranking/inputs.ts", "CHUNK_INPUTS")
QUESTION = server_number("src/ranking/inputs.ts", "QUESTION_INPUTS")
BEST, SHARE, SECOND, IN_WINDOW = range(MATCHES)
RARITY, IMPORTANCE, WEIGHT, PRESENT = range(UNIT)
COSINE, OVERLAP, JOINED, WINDOW, PAIRS, LENGTH = range(CHUNK)
# Of the dataset: the mean share of chunks that hold each of its commonest tokens of letters, and the share that holds the commonest.
DATASET = server_number("src/ranking/inputs.ts", "DATASET_INPUTS")
COMMON, COMMONEST = range(DATASET)
UNIT_COUNT, BEST_OVERLAP, OWN_LANGUAGE, DATASET_SIZE = range(QUESTION)
# Instead of a place among the candidates.
MISSED, UNANSWERABLE = -1, -2
# Every so manyth question of a training set is held out.
HELD_EVERY = 5


@dataclass
class Questions:
    """Questions of one or more sets; n questions, c candidates, u units."""

    matches: torch.Tensor  # n × c × u × MATCHES
    units: torch.Tensor  # n × u × UNIT
    chunks: torch.Tensor  # n × c × CHUNK
    question: torch.Tensor  # n × QUESTION
    there: torch.Tensor  # n × c, whether there is a candidate
    right: torch.Tensor  # n, the right candidate, or MISSED or UNANSWERABLE
    dataset: torch.Tensor  # n × DATASET

    def __len__(self) -> int:
        return len(self.right)

    def at(self, rows: torch.Tensor) -> "Questions":
        return Questions(*(field[rows] for field in self.fields()))

    def fields(self) -> tuple[torch.Tensor, ...]:
        return self.matches, self.units, self.chunks, self.question, self.there, self.right, self.dataset

    def candidates_at(self, places: torch.Tensor, right: torch.Tensor) -> "Questions":
        """Only the candidates at `places` (n × fewer), of which `right` is right; what depends on all candidates is made anew."""
        row = torch.arange(len(self))[:, None]
        chunks, there = self.chunks[row, places], self.there[row, places]
        question = self.question.clone()
        question[:, BEST_OVERLAP] = chunks[..., OVERLAP].max(1)[0]
        return Questions(self.matches[row, places], self.units, chunks, question, there, right, self.dataset)


def together(several: list[Questions]) -> Questions:
    return Questions(*(torch.cat(fields) for fields in zip(*(questions.fields() for questions in several))))


@dataclass
class QuestionSet:
    name: str
    kind: str
    languages: list[str]
    questions: Questions

    def for_judging(self) -> bool:
        return self.kind.startswith("judge-")

    def part(self, held: bool) -> "QuestionSet":
        """The questions held out of training, or the others."""
        rows = [row for row in range(len(self.questions)) if (row % HELD_EVERY == HELD_EVERY - 1) == held]
        return QuestionSet(self.name, self.kind, [self.languages[row] for row in rows], self.questions.at(torch.tensor(rows)))


def read_set(folder: str, name: str) -> QuestionSet:
    with open(os.path.join(folder, name + ".json"), encoding="utf8") as file:
        header = json.load(file)
    count, candidates, units = header["questions"], header["candidates"], header["units"]
    shapes = [(candidates, units, MATCHES), (units, UNIT), (candidates, CHUNK), (QUESTION,), (1,), (1,)]
    numbers = np.fromfile(os.path.join(folder, name + ".f32"), np.float32).reshape(count, -1)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    if numbers.shape[1] != ends[-1]:
        raise ValueError(f"{name}: {numbers.shape[1]} numbers a question, not {ends[-1]}")
    parts = [torch.from_numpy(part.reshape(count, *shape).copy()) for part, shape in zip(np.split(numbers, ends[:-1], axis=1), shapes)]
    there = torch.arange(candidates)[None] < parts[4]
    questions = Questions(*parts[:4], there, torch.tensor(header["right"]), torch.tensor([header["dataset"]], dtype=torch.float32).expand(count, -1))
    return QuestionSet(header["name"], header["kind"], header.get("languages") or [header["language"]] * count, questions)


def read_sets(folder: str) -> list[QuestionSet]:
    return [read_set(folder, name[:-5]) for name in sorted(os.listdir(folder)) if name.endswith(".json")]


def by_kind(sets: list[QuestionSet]) -> dict[str, list[QuestionSet]]:
    kinds = collections.defaultdict(list)
    for own in sets:
        kinds[own.kind].append(own)
    return kinds
