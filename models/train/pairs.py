"""Writes pairs of texts, one tab-separated file per source: language, English (or the question), translation (or the passage)."""

import collections
import os
import re
import zlib

from text import clean, language

_LETTER = re.compile(r"[^\W\d_]")
# Of each documentation source's pages one in this many is kept out of training, in every language, to judge with.
HELD_OUT_ONE_IN = 40


def held_out(page: str) -> bool:
    """Whether a page of documentation (by its name, the same in all languages) is kept for judging."""
    return zlib.crc32(page.encode()) % HELD_OUT_ONE_IN == 0


class PairFiles:
    """Files FOLDER/SOURCE.tsv. A pair that a language has already from any source of the same run is left out."""

    def __init__(self, folder: str, judging: str):
        self._folder = folder
        self._judging = judging
        os.makedirs(folder, exist_ok=True)
        self._files: dict = {}
        self._seen: dict[str, set[int]] = collections.defaultdict(set)
        self.counts: collections.Counter = collections.Counter()

    def translation(self, source: str, code: str, english: str, other: str, shortest: int = 2, longest: int = 3000) -> None:
        """One text and its translation; dropped when it is too short, the same, or of unlikely length for a translation."""
        lang = language(code)
        if lang in ("en", ""):
            return
        english, other = clean(english), clean(other)
        if len(english) < shortest or not other or english == other or max(len(english), len(other)) > longest:
            return
        if not _LETTER.search(english) or not _LETTER.search(other):
            return
        ratio = len(english) / len(other)
        if len(english) > 30 and not 0.15 <= ratio <= 6:
            return
        self._write(source, lang, english, other)

    def passage(self, source: str, code: str, title: str, passage: str, longest: int = 1500) -> None:
        """A title or question and the passage that it belongs to, in languages that need not be the same."""
        title, passage = clean(title), clean(passage)[:longest]
        if len(title) >= 3 and len(passage) >= 25 and _LETTER.search(title):
            self._write(source, language(code), title, passage)

    def line(self, source: str, code: str, text: str, shortest: int = 20) -> None:
        """Text of one language alone, for the vocabulary."""
        text = clean(text)
        if len(text) > shortest:
            self._write(source, language(code), "", text)

    def judge(self, page: str, code: str, heading: str, section: str, longest: int = 1500) -> None:
        """A heading and its section that are kept out of training: page, language, heading, section."""
        heading, section = clean(heading), clean(section)[:longest]
        if len(heading) >= 3 and _LETTER.search(heading):
            file = self._files.get(self._judging)
            if file is None:
                file = self._files[self._judging] = open(self._judging, "w", encoding="utf8")
            file.write(f"{page}\t{language(code)}\t{heading}\t{section}\n")

    def close(self) -> None:
        for file in self._files.values():
            file.close()

    def _write(self, source: str, lang: str, left: str, right: str) -> None:
        key = hash((left.lower(), right.lower()))
        if key in self._seen[lang]:
            return
        self._seen[lang].add(key)
        file = self._files.get(source)
        if file is None:
            file = self._files[source] = open(os.path.join(self._folder, source + ".tsv"), "w", encoding="utf8")
        file.write(f"{lang}\t{left}\t{right}\n")
        self.counts[source] += 1
