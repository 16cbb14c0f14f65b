"""BM25 over token ids, as the search's lexical half computes it, but for words and token weights."""

import collections

import numpy as np

from ranking.server_numbers import server_number

K1 = server_number("src/search/words/bm25.ts", "SATURATION")
B = server_number("src/search/words/bm25.ts", "LENGTH_SHARE")


def bm25_scores(questions: list[np.ndarray], passages: list[np.ndarray]) -> np.ndarray:
    """Questions × passages, as a share of the most that each question could reach."""
    lengths = np.array([len(passage) for passage in passages], dtype=np.float32)
    norm = K1 * (1 - B + B * lengths / max(lengths.mean(), 1))
    postings: dict[int, list[tuple[int, int]]] = collections.defaultdict(list)
    for number, passage in enumerate(passages):
        for token, count in zip(*np.unique(passage, return_counts=True)):
            postings[int(token)].append((number, int(count)))
    scores = np.zeros((len(questions), len(passages)), np.float32)
    most = np.zeros((len(questions), 1), np.float32)
    for row, question in enumerate(questions):
        for token in set(question.tolist()):
            found = postings.get(token, [])
            rarity = np.log(1 + (len(passages) - len(found) + 0.5) / (len(found) + 0.5))
            most[row] += rarity
            if found:
                where, counts = np.array(found).T
                scores[row, where] += rarity * counts / (counts + norm[where])
    return scores / np.maximum(most, 1e-9)
