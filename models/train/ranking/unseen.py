"""Takes cosines of texts that trained the table down to what texts have that it never met.

The news and courses of which questions are quoted (`sets.ts`) trained the table itself, pair by pair, so that the right passage's cosine stands
4.4 deviations above the mean of its candidates; in translated sentences that the table never met, 3.3. A network trained on the former trusts
cosines too much: it then finds less in the latter. Matches of single words differ little, and stay as they are."""

from __future__ import annotations

from network import mean_over_candidates
from question_inputs import COSINE, JOINED, OVERLAP, Questions, QuestionSet
from server_numbers import server_number

QUOTED = ("cross-", "many-", "small-quoted-", "same-news-", "mixed-news-", "mixed-course-")
# What the right passage's cosine owes to training, and what is left of every candidate's distance from their mean.
OWED, LEFT = 0.045, 0.7
# How both kinds of evidence are joined before candidates are read.
DENSE_WEIGHT = server_number("src/ranking/inputs.ts", "DENSE_WEIGHT")
OVERLAP_POWER = server_number("src/ranking/joined-similarity.ts", "OVERLAP_POWER")


def as_unseen(own: QuestionSet) -> QuestionSet:
    """The set itself where people asked, or where it is to judge by."""
    if own.for_judging() or not own.name.startswith(QUOTED):
        return own
    return QuestionSet(own.name, own.kind, own.languages, taken_down(own.questions))


def taken_down(questions: Questions) -> Questions:
    chunks, there = questions.chunks.clone(), questions.there
    found = questions.right >= 0
    cosines = chunks[..., COSINE]
    cosines[found.nonzero()[:, 0], questions.right[found]] -= OWED
    mean = mean_over_candidates(cosines, there)
    chunks[..., COSINE] = (mean + (cosines - mean) * LEFT) * there
    chunks[..., JOINED] = (DENSE_WEIGHT * chunks[..., COSINE].clamp(min=0) + (1 - DENSE_WEIGHT) * chunks[..., OVERLAP] ** OVERLAP_POWER) * there
    return Questions(questions.matches, questions.units, chunks, questions.question, questions.there, questions.right, questions.dataset)
