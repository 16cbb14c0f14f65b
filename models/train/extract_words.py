"""Dictionaries: words with their translations, and words with their explanations."""

import re

from packages import debs, dictd
from pairs import PairFiles

_ASIDE = re.compile(r"<[^>]*>|\[[^\]]*\]|\([^)]*\)|/[^/]*/")
_NUMBER = re.compile(r"^\s*\d+[.)]\s*")
_REMARK = re.compile(r"(Synonym|see:|Note|Usage)")
_WORDNET_MARKS = re.compile(r"\[[^\]]*\]|\{|\}|\b(n|v|adj|adv) \d*:?")
# Translations taken from one entry: the first lines hold the common meanings.
LINES_PER_ENTRY = 4


def extract_bilingual(folder: str, out: PairFiles) -> None:
    for deb in debs(folder, "dict-freedict-"):
        first, second = re.search(r"freedict-(\w+)-(\w+)_", deb).groups()
        if "eng" not in (first, second):
            continue
        for headword, lines in dictd(deb):
            taken = 0
            for line in lines[1:]:
                line = _NUMBER.sub("", _ASIDE.sub("", line)).strip()
                if not line or len(line) > 80 or _REMARK.search(line):
                    continue
                for meaning in (part.strip() for part in re.split(r"[;,]", line)[:3]):
                    if meaning and len(meaning) < 50:
                        if first == "eng":
                            out.translation("freedict", second, headword, meaning)
                        else:
                            out.translation("freedict", first, meaning, headword)
                        taken += 1
                if taken >= LINES_PER_ENTRY:
                    break
    print("freedict", out.counts["freedict"], flush=True)


def extract_explanations(folder: str, out: PairFiles) -> None:
    for package, source in (("dict-wn", "ret_wn"), ("dict-gcide", "ret_gcide")):
        for deb in debs(folder, package):
            for headword, lines in dictd(deb):
                text = _WORDNET_MARKS.sub("", re.sub(r"\s+", " ", " ".join(lines[1:]))).strip()
                out.passage(source, "en", headword, text, 800)
        print(source, out.counts[source], flush=True)
