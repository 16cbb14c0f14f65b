"""Scores a table of token rows on the judging sets.

    python3 evaluate.py TABLE.npy CENTRES.npy JUDGING_TOKENS [SCORES.json]

- flores_dev, ntrex_dev: how often the right translation of an English sentence's translation is nearest, by language
- stsb_dev: Spearman correlation of cosine and human similarity, by language
- jaquad_dev: mean reciprocal rank (first ten) of the passage that answers a question, dense alone and with BM25
- sections: heading → its section among all held-out sections of that language, and of another one
"""

import collections
import json
import sys

import numpy as np
import torch

from embedding import embed_texts
from lexical import bm25_scores
from ranking.server_numbers import server_number
from token_files import read_tokens

# How search joins both.
DENSE_WEIGHT = server_number("src/ranking/inputs.ts", "DENSE_WEIGHT")
OVERLAP_POWER = server_number("src/ranking/joined-similarity.ts", "OVERLAP_POWER")
# Languages with fewer held-out sections say little.
FEWEST_SECTIONS = 30
MOST_SECTIONS = 400


class Judge:
    """The judging sets, read once; scores any table, centred where there are centres."""

    def __init__(self, folder: str, centres: torch.Tensor | None = None):
        self._centres = centres
        self._sets = {name: read_tokens(folder, name) for name in ("flores_dev", "ntrex_dev", "stsb_dev", "jaquad_dev", "held_out_sections")}

    def _texts(self, name: str) -> list[np.ndarray]:
        ids, starts, _rows = self._sets[name]
        return [ids[a:b] for a, b in zip(starts, starts[1:])]

    def _embed(self, table: torch.Tensor, texts: list[np.ndarray]) -> torch.Tensor:
        return embed_texts(table, texts, self._centres)

    def bitext(self, table: torch.Tensor, name: str, languages: int | None = None) -> dict[str, float]:
        texts, by_language = self._texts(name), collections.defaultdict(list)
        for row, (language, _count, _about) in enumerate(self._sets[name][2]):
            by_language[language].append(row)
        chosen = sorted(by_language)[:: max(1, len(by_language) // languages) if languages else 1]
        english, english_vectors, scores = b"", None, {}
        for language in chosen:
            rows = by_language[language]
            own_english = b"".join(texts[2 * row].tobytes() for row in rows)
            if own_english != english:
                english, english_vectors = own_english, self._embed(table, [texts[2 * row] for row in rows])
            found = (self._embed(table, [texts[2 * row + 1] for row in rows]) @ english_vectors.T).argmax(1)
            scores[language] = float((found == torch.arange(len(rows))).float().mean())
        return scores

    def similarity(self, table: torch.Tensor) -> dict[str, float]:
        vectors, by_language = self._embed(table, self._texts("stsb_dev")), collections.defaultdict(list)
        for row, (language, _count, about) in enumerate(self._sets["stsb_dev"][2]):
            by_language[language].append((float(vectors[2 * row] @ vectors[2 * row + 1]), float(about)))
        return {language: _spearman(np.array(pairs)) for language, pairs in by_language.items()}

    def questions(self, table: torch.Tensor) -> tuple[float, float]:
        texts, passages, questions, gold, at = self._texts("jaquad_dev"), [], [], [], 0
        for _language, count, _about in self._sets["jaquad_dev"][2]:
            passages.append(texts[at])
            questions += texts[at + 1 : at + count]
            gold += [len(passages) - 1] * (count - 1)
            at += count
        dense = (self._embed(table, questions) @ self._embed(table, passages).T).numpy()
        both = _joined(dense, bm25_scores(questions, passages))
        return reciprocal_rank(dense, np.array(gold)), reciprocal_rank(both, np.array(gold))

    def sections(self, table: torch.Tensor) -> dict[str, dict[str, float]]:
        """Language → dense, bm25, both (same language) and cross_dense, cross_both (heading in English)."""
        texts, by_language = self._texts("held_out_sections"), collections.defaultdict(list)
        for row, (language, _count, page) in enumerate(self._sets["held_out_sections"][2]):
            by_language[language].append((page, texts[2 * row], texts[2 * row + 1]))
        english = {page: heading for page, heading, _section in by_language["en"]}
        scores = {}
        for language, rows in by_language.items():
            rows = rows[:: max(1, len(rows) // MOST_SECTIONS)]
            if len(rows) < FEWEST_SECTIONS:
                continue
            headings, sections = [r[1] for r in rows], [r[2] for r in rows]
            vectors = self._embed(table, sections)
            own = _evidence(self._embed(table, headings), headings, sections, vectors, np.arange(len(rows)))
            scores[language] = dict(zip(("dense", "bm25", "both"), own))
            shared = [i for i, r in enumerate(rows) if r[0] in english]
            if language != "en" and len(shared) >= FEWEST_SECTIONS:
                asked = [english[rows[i][0]] for i in shared]
                foreign = _evidence(self._embed(table, asked), asked, sections, vectors, np.array(shared))
                scores[language].update(zip(("cross_dense", "cross_bm25", "cross_both"), foreign))
        return scores

    def quick(self, table: torch.Tensor, languages: int = 12) -> dict[str, float]:
        """A cheap summary over some of the languages, to follow training with."""
        dense, both = self.questions(table)
        return {
            "flores": _mean(self.bitext(table, "flores_dev", languages).values()),
            "ntrex": _mean(self.bitext(table, "ntrex_dev", languages).values()),
            "stsb": _mean(self.similarity(table).values()),
            "jaquad": dense,
            "jaquad_both": both,
        }

    def full(self, table: torch.Tensor) -> dict:
        dense, both = self.questions(table)
        return {
            "flores": self.bitext(table, "flores_dev"),
            "ntrex": self.bitext(table, "ntrex_dev"),
            "stsb": self.similarity(table),
            "jaquad": {"dense": dense, "both": both},
            "sections": self.sections(table),
        }


def _joined(dense: np.ndarray, lexical: np.ndarray) -> np.ndarray:
    return DENSE_WEIGHT * np.maximum(dense, 0) + (1 - DENSE_WEIGHT) * lexical**OVERLAP_POWER


def _evidence(question_vectors, questions, passages, vectors, gold) -> tuple[float, float, float]:
    dense = (question_vectors @ vectors.T).numpy()
    lexical = bm25_scores(questions, passages)
    both = _joined(dense, lexical)
    return tuple(reciprocal_rank(scores, gold) for scores in (dense, lexical, both))


def _mean(values) -> float:
    return float(np.mean(list(values)))


def reciprocal_rank(scores: np.ndarray, gold: np.ndarray, first: int = 10) -> float:
    """Mean of 1/rank of the right column, 0 beyond the first ten; of equal scores the right one counts as last."""
    right = scores[np.arange(len(gold)), gold]
    rank = (scores >= right[:, None]).sum(1)
    return float(np.mean(np.where(rank <= first, 1 / rank, 0)))


def _spearman(pairs: np.ndarray) -> float:
    ranks = [_ranks(pairs[:, column]) for column in (0, 1)]
    return float(np.corrcoef(*ranks)[0, 1])


def _ranks(values: np.ndarray) -> np.ndarray:
    """Ranks, equal values sharing the mean of theirs."""
    _unique, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse]


def summary(scores: dict) -> str:
    ntrex = scores["ntrex"].values()
    line = (
        f"FLORES {_mean(scores['flores'].values()):.4f}  NTREX {_mean(ntrex):.4f} ({sum(v >= 0.5 for v in ntrex)} of {len(ntrex)} at 0.5)  "
        f"STS-B {_mean(scores['stsb'].values()):.4f}  JaQuAD {scores['jaquad']['dense']:.4f} dense, {scores['jaquad']['both']:.4f} with BM25"
    )
    for kind in ("dense", "bm25", "both", "cross_dense", "cross_bm25", "cross_both"):
        values = [s[kind] for s in scores["sections"].values() if kind in s]
        line += f"\nsections {kind}: {_mean(values):.4f} in {len(values)} languages" if values else ""
    return line


if __name__ == "__main__":
    table, centres = (torch.from_numpy(np.load(path).astype(np.float32)) for path in sys.argv[1:3])
    result = Judge(sys.argv[3], centres).full(table)
    print(summary(result))
    if len(sys.argv) > 4:
        with open(sys.argv[4], "w", encoding="utf8") as out:
            json.dump(result, out, indent=1)
