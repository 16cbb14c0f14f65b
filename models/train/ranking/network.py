"""The ranking network: a value for each candidate of a question, by which its candidates are compared.

Every unit of the question is judged in every candidate (`match`); a candidate's judgements are pooled over the units by weights (`weigh`) that
depend on the unit alone; a candidate's value (`value`, and `straight` beside it) follows from them and from the evidence on the whole
chunk. src/ranking/network.ts is the same in use."""

from __future__ import annotations

import torch
from torch import nn

from question_inputs import BEST, COSINE, IMPORTANCE, IN_WINDOW, LENGTH, OVERLAP, OWN_LANGUAGE, PAIRS, PRESENT, RARITY, SHARE, WEIGHT, WINDOW, CHUNK, MATCHES, QUESTION, Questions
from server_numbers import server_number

JUDGEMENTS = 3
MATCH_INPUTS = 2 * MATCHES + 2 + QUESTION
WEIGH_INPUTS = 10
EVIDENCE = CHUNK - 1
VALUE_INPUTS = 3 * EVIDENCE + 2 + QUESTION + 3 * JUDGEMENTS
# Keeps what is divided by from being 0.
LEAST = server_number("src/ranking/network.ts", "LEAST_SUM")
LEAST_DEVIATION = server_number("src/ranking/network.ts", "LEAST_DEVIATION")
# Brings standard scores and logarithms of length near the size of the other inputs.
STANDARD_SCALE = server_number("src/ranking/network.ts", "DEVIATION_SHARE")
LENGTH_SCALE = 1 / 6
FAR_BELOW = -1e9
# What the cosine counts for beside the overlap in the plain sum.
DENSE_WEIGHT = server_number("src/ranking/inputs.ts", "DENSE_WEIGHT")


def mean_over_candidates(values: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
    """Mean over dimension 1 of the candidates that are there, kept as a dimension of 1."""
    mask = there.reshape(there.shape + (1,) * (values.dim() - 2)).to(values.dtype)
    return (values * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True)


def best_over_candidates(values: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
    mask = there.reshape(there.shape + (1,) * (values.dim() - 2))
    return values.masked_fill(~mask, FAR_BELOW).max(1, keepdim=True)[0]


class Network(nn.Module):
    def __init__(self, match_width: int = 16, weigh_width: int = 8, value_width: int = 24):
        super().__init__()
        self.match = nn.Sequential(nn.Linear(MATCH_INPUTS, match_width), nn.ReLU(), nn.Linear(match_width, JUDGEMENTS))
        self.weigh = nn.Sequential(nn.Linear(WEIGH_INPUTS, weigh_width), nn.ReLU(), nn.Linear(weigh_width, JUDGEMENTS))
        self.value = nn.Sequential(nn.Linear(VALUE_INPUTS, value_width), nn.ReLU(), nn.Linear(value_width, 1))
        self.straight = nn.Linear(VALUE_INPUTS, 1, bias=False)

    def forward(self, given: Questions) -> tuple[torch.Tensor, torch.Tensor]:
        """Values (n × c, far below all others where there is no candidate) and pooled judgements (n × c × JUDGEMENTS)."""
        matches, units, chunks, question, there = given.matches, given.units, given.chunks, given.question, given.there
        _count, candidates, places, _ = matches.shape
        mean = mean_over_candidates(matches, there)
        judged = torch.sigmoid(self.match[2](torch.relu(self._seen(matches, mean, units, question))))

        telling = [BEST, SHARE, IN_WINDOW]
        best = best_over_candidates(matches, there)
        own = question[:, None, OWN_LANGUAGE : OWN_LANGUAGE + 1].expand(-1, places, -1)
        weights = nn.functional.softplus(self.weigh(torch.cat([units[..., [RARITY, IMPORTANCE, WEIGHT]], mean[:, 0][..., telling], best[:, 0][..., telling], own], -1)))
        weights = weights * units[..., PRESENT : PRESENT + 1]
        weights = weights / (weights.sum(1, keepdim=True) + LEAST)
        pooled = (judged * weights[:, None]).sum(2)

        evidence = chunks[..., :EVIDENCE]
        deviation = mean_over_candidates((evidence - mean_over_candidates(evidence, there)) ** 2, there).sqrt()
        inputs = torch.cat([
            evidence,
            evidence - best_over_candidates(evidence, there),
            (evidence - mean_over_candidates(evidence, there)) / (deviation + LEAST_DEVIATION) * STANDARD_SCALE,
            chunks[..., OVERLAP : OVERLAP + 1] ** 2,
            chunks[..., LENGTH:] * LENGTH_SCALE,
            question[:, None].expand(-1, candidates, -1),
            pooled,
            pooled - best_over_candidates(pooled, there),
            pooled - mean_over_candidates(pooled, there),
        ], -1)
        values = (self.value(inputs) + self.straight(inputs))[..., 0]
        return values.masked_fill(~there, FAR_BELOW), pooled


    def _seen(self, matches: torch.Tensor, mean: torch.Tensor, units: torch.Tensor, question: torch.Tensor) -> torch.Tensor:
        """`match`'s first layer of the matches, the same less their means, and what belongs to unit and question, which is multiplied once for all candidates."""
        weights, bias = self.match[0].weight, self.match[0].bias
        of_match, of_distance, of_unit, of_question = weights.split([MATCHES, MATCHES, 2, QUESTION], 1)
        constant = bias - mean[:, 0] @ of_distance.T + units[..., [RARITY, IMPORTANCE]] @ of_unit.T + (question @ of_question.T)[:, None]
        return matches @ (of_match + of_distance).T + constant[:, None]


def judge(network: nn.Module, questions: Questions, at_once: int = 256) -> tuple[torch.Tensor, torch.Tensor]:
    """`Network.forward` of many questions, without gradients."""
    with torch.no_grad():
        parts = [network(questions.at(torch.arange(start, min(start + at_once, len(questions))))) for start in range(0, len(questions), at_once)]
    return torch.cat([values for values, _ in parts]), torch.cat([pooled for _, pooled in parts])


def judge_plainly(questions: Questions) -> tuple[torch.Tensor, torch.Tensor]:
    """The same without the network: the plain sum of the evidence on each chunk, and no judgements."""
    chunks = questions.chunks
    values = DENSE_WEIGHT * chunks[..., COSINE] + (1 - DENSE_WEIGHT) * chunks[..., OVERLAP] + chunks[..., WINDOW] + chunks[..., PAIRS]
    return values.masked_fill(~questions.there, FAR_BELOW), torch.zeros(*values.shape, JUDGEMENTS)
