"""BM25 over token ids, as the search's lexical half computes it."""

import collections

import numpy as np

K1 = 0.6
B = 0.75


def bm25_scores(questions: list[np.ndarray], passages: list[np.ndarray]) -> np.ndarray:
    """Questions × passages, each question's best passage scoring 1 (0 everywhere when no token is shared)."""
    lengths = np.array([len(passage) for passage in passages], dtype=np.float32)
    norm = K1 * (1 - B + B * lengths / max(lengths.mean(), 1))
    postings: dict[int, list[tuple[int, int]]] = collections.defaultdict(list)
    for number, passage in enumerate(passages):
        for token, count in zip(*np.unique(passage, return_counts=True)):
            postings[int(token)].append((number, int(count)))
    scores = np.zeros((len(questions), len(passages)), np.float32)
    for row, question in enumerate(questions):
        for token in set(question.tolist()):
            found = postings.get(token)
            if found:
                where, counts = np.array(found).T
                rarity = np.log(1 + (len(passages) - len(where) + 0.5) / (len(where) + 0.5))
                scores[row, where] += rarity * counts * (K1 + 1) / (counts + norm[where])
    return scores / np.maximum(scores.max(1, keepdims=True), 1e-9)
