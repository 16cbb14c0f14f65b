"""What the embedder is trained on: blocks of pairs of token lists that should be near each other, all of one kind,
source and language, so that the other pairs of a block are wrong answers of the hard sort."""

import json
import os
from dataclasses import dataclass

import numpy as np

from token_files import read_tokens

LEXICONS = {"gatitos", "freedict", "cldr", "osm", "iso_codes"}
# What encode.ts chose the pairs by, too.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sampling.json"), encoding="utf8") as _sampling:
    _SAMPLING = json.load(_sampling)
# Sources whose rows follow each other as in the text they come from.
CONSECUTIVE = set(_SAMPLING["consecutive"])
PARAGRAPHS = CONSECUTIVE | {"tldr", "wesnoth", "freeciv", "udhr", "commands"}
# How much of the training each kind of task gets.
SHARE = {"paragraph": 0.29, "interface": 0.03, "word": 0.04, "words": 0.05, "question": 0.39, "crop": 0.20}
# Within a kind, a source and language counts with the square root of its pairs times this: general topics (news, words of
# daily life) are few and would drown in software.
BOOST = {
    "ntrex": 11.0, "gatitos": 3.0, "ret_jaquad": 100.0, "ret_arcd": 25.0, "udhr": 3.0, "wesnoth": 3.0, "freeciv": 2.0,
    "cross_lo_help": 1.5, "foreign_man_pages": 2.0, "foreign_gnome_help": 2.0, "foreign_kde_docs": 2.0,
}
# Of a source and language; fewer are left out.
FEWEST_PAIRS = _SAMPLING["fewestPairs"]
# Of the pairs of a question block this many follow each other in the source: passages of the same article or manual.
RUN = 16
# Longer texts are cut to a window: more texts in the same time teach more than more of each text. What answers a question is read
# from its beginning, as search reads it.
WINDOW = {"paragraph": 72, "question": 128, "crop": 112}
# A token is left out of a longer text with this chance, in every second block.
DROP = 0.12
SHORTEST_DROPPED = 6
# Question words put before titles and spans, so that they learn to weigh little.
ASKED = 0.35

Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Group:
    """The pairs of one source and language: texts 2i and 2i + 1 of `starts`, counted from `first`."""

    source: str
    language: str
    ids: np.ndarray
    starts: np.ndarray
    first: int
    size: int

    @property
    def left_language(self) -> str:
        """Questions are in their passage's language; all else on the left is English."""
        return self.language if self.source.startswith("ret_") else "en"

    def text(self, row: int, side: int) -> np.ndarray:
        at = self.first + 2 * row + side
        return self.ids[self.starts[at] : self.starts[at + 1]]


def read_groups(folder: str) -> list[Group]:
    groups = []
    for name in sorted(file[:-5] for file in os.listdir(folder) if file.endswith(".json") and file != "question_words.json"):
        ids, starts, rows = read_tokens(folder, name)
        first = 0
        for language, size in rows:
            if size >= FEWEST_PAIRS:
                groups.append(Group(name, language, ids, starts, first, size))
            first += 2 * size
    return groups


class Sampler:
    """Draws blocks of pairs from the sources whose names begin with one of `sources`. The same seed gives the same blocks."""

    def __init__(self, folder: str, seed: int, sources: tuple[str, ...] = ("",)):
        self._random = np.random.default_rng(seed)
        with open(os.path.join(folder, "question_words.json"), encoding="utf8") as file:
            self._question_words = {lang: [np.array(w, np.uint16) for w in words] for lang, words in json.load(file).items()}
        self.groups = [group for group in read_groups(folder) if group.source.startswith(sources)]
        self._tasks: list[tuple[str, Group]] = []
        for group in self.groups:
            self._tasks += [(kind, group) for kind in _kinds(group)]
        weight = np.array([group.size**0.5 * BOOST.get(group.source, 1.0) for _kind, group in self._tasks])
        kinds = np.array([kind for kind, _group in self._tasks])
        for kind, share in SHARE.items():
            weight[kinds == kind] *= share / max(weight[kinds == kind].sum(), 1e-9)
        self._chances = weight / weight.sum()

    def reseed(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def block(self, size: int) -> list[Pair]:
        kind, group = self._tasks[self._random.choice(len(self._tasks), p=self._chances)]
        pairs = getattr(self, "_" + kind)(group, size)
        if kind in WINDOW:
            pairs = [self._windows(pair, WINDOW[kind], 0 if kind == "question" else self._random.random()) for pair in pairs]
        if self._random.random() < 0.5:
            pairs = [(self._dropped(left), self._dropped(right)) for left, right in pairs]
        return [(left, right) for left, right in pairs if len(left) and len(right)]

    def _rows(self, group: Group, size: int) -> np.ndarray:
        return self._random.integers(0, group.size, size)

    def _paragraph(self, group: Group, size: int) -> list[Pair]:
        return [(group.text(row, 0), group.text(row, 1)) for row in self._rows(group, size)]

    _interface = _word = _paragraph

    def _words(self, group: Group, size: int) -> list[Pair]:
        """Some words and the same words in the other language: word by word translations of sentences never written."""
        pairs = []
        for count in self._random.integers(2, 9, size):
            rows = self._rows(group, count)
            pairs.append(tuple(np.concatenate([group.text(row, side) for row in rows]) for side in (0, 1)))
        return pairs

    def _question(self, group: Group, size: int) -> list[Pair]:
        starts = self._random.integers(0, max(1, group.size - RUN), -(-size // RUN))
        rows = [row for start in starts for row in range(start, min(start + RUN, group.size))]
        language = group.left_language
        titled = group.source not in ("ret_jaquad", "ret_arcd")
        return [(self._asked(group.text(row, 0), language) if titled else group.text(row, 0), group.text(row, 1)) for row in rows]

    def _crop(self, group: Group, size: int) -> list[Pair]:
        """A span of a sentence → the passage of two to six consecutive sentences around it, in the same or the other
        language; at times without the sentence itself."""
        pairs = []
        for row in self._random.integers(0, max(1, group.size - 7), size):
            length = min(int(self._random.integers(2, 7)), group.size - row)
            passage_side = int(self._random.random() < 0.65)
            question_side = passage_side if self._random.random() < 0.5 else 1 - passage_side
            sentences = [group.text(row + i, question_side) for i in range(length)]
            chosen = int(np.argmax([len(s) + self._random.integers(0, 12) for s in sentences]))
            sentence = sentences[chosen]
            if len(sentence) < 3:
                continue
            span = max(2, min(24, int(len(sentence) * self._random.uniform(0.25, 0.8))))
            start = int(self._random.integers(0, max(1, len(sentence) - span + 1)))
            without = length > 2 and self._random.random() < 0.25
            passage = np.concatenate([group.text(row + i, passage_side) for i in range(length) if not (without and i == chosen)])
            language = "en" if question_side == 0 else group.language
            pairs.append((self._asked(sentence[start : start + span], language), passage))
        return pairs

    def _asked(self, text: np.ndarray, language: str) -> np.ndarray:
        words = self._question_words.get(language)
        if not words or self._random.random() >= ASKED:
            return text
        chosen = [words[i] for i in self._random.integers(0, len(words), int(self._random.integers(1, 3)))]
        return np.concatenate([*chosen, text])

    def _windows(self, pair: Pair, most: int, place: float) -> Pair:
        """Both texts cut at the same place, as a share of what is left over: translations keep what they have in common."""
        return tuple(text[int(place * max(0, len(text) - most)) :][:most] for text in pair)

    def _dropped(self, text: np.ndarray) -> np.ndarray:
        return text if len(text) < SHORTEST_DROPPED else text[self._random.random(len(text)) >= DROP]


def _kinds(group: Group) -> list[str]:
    if group.source.startswith(("ret_", "cross_", "foreign_")):
        return ["question"]
    if group.source in LEXICONS:
        return ["word", "words"] if group.source in ("gatitos", "freedict", "cldr") else ["word"]
    if group.source in PARAGRAPHS:
        return ["paragraph", "crop"] if group.source in CONSECUTIVE and group.size >= 200 else ["paragraph"]
    return ["interface"]
