"""Documentation that exists in several languages, page by page: aligned paragraphs, and headings with their sections."""

import collections
import glob
import os
import re
import subprocess
from dataclasses import dataclass

from packages import deb_files, debs
from pairs import PairFiles, held_out
from text import clean, language

@dataclass(frozen=True)
class Manual:
    """One manual: its packages, where its pages lie (language and page name as groups) and which code is English."""

    source: str
    packages: str
    path: str
    english: str


MANUALS = [
    Manual("lo_help", "libreoffice-help-", r"/help/(?P<lang>[^/]+)/text/(?P<page>.*)\.html$", "en-US"),
    Manual("gimp_help", "gimp-help-", r"/help/(?P<lang>[^/]+)/(?P<page>[^/]*)\.html$", "en"),
    Manual("gnome_docs", "gnome-user-docs", r"/help/(?P<lang>[^/]+)/(?P<page>.*)\.page$", "C"),
    Manual("handbook", "debian-handbook", r"/html/(?P<lang>[^/]+)/(?P<page>.*)\.html$", "en-US"),
    Manual("install_guide", "installation-guide-amd64", r"/installation-guide-amd64/(?P<lang>[^/]+)/(?P<page>.*)\.html$", "en"),
    Manual("edu_manual", "debian-edu-doc-", r"/debian-edu-doc-(?P<lang>[^/]+)/(?P<page>.*)\.html$", "en"),
    Manual("reference", "debian-reference-", r"/debian-reference/(?P<page>.*?)\.(?P<lang>[^.]+)\.html$", "en"),
    Manual("faq", "debian-faq", r"/FAQ/(?:[^/]+/)?(?P<page>[^/]*?)\.(?P<lang>[^./]+)\.html$", "en"),
]

_BODY_STARTS = re.compile(r'<div id="DisplayArea"|<body')
_BLOCK = re.compile(r"<(p|title|h\d)\b[^>]*>(.*?)</\1>", re.S)
Blocks = list[tuple[bool, str]]


def _blocks(page: str) -> Blocks:
    """Whether it is a heading, and the text, of each heading and paragraph."""
    start = _BODY_STARTS.search(page)
    found = _BLOCK.findall(page, start.start() if start else 0)
    return [(tag != "p", text) for tag, text in found]


def _pages(folder: str, manual: Manual) -> dict[str, dict[str, Blocks]]:
    path = re.compile(manual.path)
    pages: dict[str, dict[str, Blocks]] = collections.defaultdict(dict)
    names = debs(folder, manual.packages) + ([] if manual.packages.endswith("-") else debs(folder, manual.packages + "-"))
    for deb in names:
        for name, data in deb_files(deb, manual.path):
            match = path.search(name)
            pages[match["lang"]][match["page"]] = _blocks(data.decode("utf8", "replace"))
    return pages


def _sections(blocks: Blocks) -> list[tuple[int, int, int]]:
    """Positions (heading, first paragraph, one past the last paragraph) of each section that has paragraphs."""
    sections, at = [], 0
    while at < len(blocks):
        if not blocks[at][0]:
            at += 1
            continue
        end = at + 1
        while end < len(blocks) and not blocks[end][0]:
            end += 1
        if end > at + 1:
            sections.append((at, at + 1, end))
        at = end
    return sections


def _joined(blocks: Blocks, first: int, end: int) -> str:
    return " ".join(clean(text) for _heading, text in blocks[first:end])


def extract_manual(folder: str, out: PairFiles, manual: Manual) -> None:
    pages = _pages(folder, manual)
    english = pages.get(manual.english, {})
    for lang, own in pages.items():
        for name, blocks in own.items():
            original = english.get(name, [])
            aligned = lang != manual.english and [b[0] for b in original] == [b[0] for b in blocks]
            untranslated = lang != manual.english and [b[1] for b in original] == [b[1] for b in blocks]
            if untranslated:
                continue
            page = f"{manual.source}/{name}"
            if held_out(page):
                for heading, first, end in _sections(blocks):
                    section = _joined(blocks, first, end)
                    if len(section) >= 80:
                        out.judge(f"{page}#{heading}", lang, blocks[heading][1], section)
                continue
            if aligned:
                for (_heading, a), (_same, b) in zip(original, blocks):
                    if len(a) > 8:
                        out.translation(manual.source, lang, a, b, 8)
            for heading, first, end in _sections(blocks):
                out.passage("ret_" + manual.source, lang, blocks[heading][1], _joined(blocks, first, end))
                if aligned:
                    out.passage("cross_" + manual.source, lang, original[heading][1], _joined(blocks, first, end))
    print(manual.source, len(pages), "languages", out.counts[manual.source], out.counts["ret_" + manual.source], flush=True)


def extract_descriptions(folder: str, out: PairFiles) -> None:
    """Debian's package descriptions: a short line and the paragraphs that explain it."""
    described: dict[str, dict[str, tuple[str, list[str]]]] = collections.defaultdict(dict)
    for path in glob.glob(os.path.join(folder, "lists", "*Translation-*.lz4")):
        lang = re.search(r"Translation-(.*)\.lz4", path).group(1).replace("%5f", "_")
        source = subprocess.run(["lz4", "-dc", path], capture_output=True, check=True).stdout.decode("utf8", "replace")
        for entry in source.split("\n\n"):
            digest = re.search(r"^Description-md5: (.*)$", entry, re.M)
            body = re.search(r"^Description-(?!md5)[^:]*: (.*(?:\n .*)*)", entry, re.M)
            if digest and body:
                title, *lines = body.group(1).split("\n")
                text = "\n".join("" if line.strip() == "." else line.strip() for line in lines)
                described[lang][digest.group(1)] = (title, [p.replace("\n", " ") for p in re.split(r"\n\n+", text) if p.strip()])
    english = described["en"]
    for lang, entries in described.items():
        for digest, (title, paragraphs) in entries.items():
            if digest not in english:
                continue
            english_title, english_paragraphs = english[digest]
            if language(lang) != "en":
                if title != english_title:
                    out.translation("ddtp", lang, english_title, title, 6)
                if len(paragraphs) == len(english_paragraphs):
                    for a, b in zip(english_paragraphs, paragraphs):
                        if a != b:
                            out.translation("ddtp", lang, a, b, 12)
            text = " ".join(paragraphs)
            if len(text) > 60 and (language(lang) == "en" or paragraphs != english_paragraphs):
                out.passage("ret_ddtp", lang, title, text)
                if language(lang) != "en":
                    out.passage("cross_ddtp", lang, english_title, text)
    print("ddtp", out.counts["ddtp"], out.counts["ret_ddtp"], flush=True)
