"""Documentation that exists in several languages, page by page: aligned paragraphs, and headings with their sections, also
the heading of one language with the section in another."""

import collections
import glob
import gzip
import os
import re
import subprocess
import zlib
from dataclasses import dataclass

import roff
from packages import deb_files, debs
from pairs import PairFiles, held_out
from sources import GNOME_MANUALS, KDE_MANUALS, MANUAL_PAGES
from text import clean, language

@dataclass(frozen=True)
class Manual:
    """One manual, or many of a kind: its packages (all that begin so where a name ends in "-"), where its pages lie
    (language and page name as groups) and which code is English."""

    source: str
    packages: tuple[str, ...]
    path: str
    english: str


MANUALS = [
    Manual("lo_help", ("libreoffice-help-",), r"/help/(?P<lang>[^/]+)/text/(?P<page>.*)\.html$", "en-US"),
    Manual("gimp_help", ("gimp-help-",), r"/help/(?P<lang>[^/]+)/(?P<page>[^/]*)\.html$", "en"),
    Manual("gnome_docs", ("gnome-user-docs",), r"/help/(?P<lang>[^/]+)/(?P<page>.*)\.page$", "C"),
    Manual("handbook", ("debian-handbook",), r"/html/(?P<lang>[^/]+)/(?P<page>.*)\.html$", "en-US"),
    Manual("install_guide", ("installation-guide-amd64",), r"/installation-guide-amd64/(?P<lang>[^/]+)/(?P<page>.*)\.html$", "en"),
    Manual("edu_manual", ("debian-edu-doc-",), r"/debian-edu-doc-(?P<lang>[^/]+)/(?P<page>.*)\.html$", "en"),
    Manual("reference", ("debian-reference-",), r"/debian-reference/(?P<page>.*?)\.(?P<lang>[^.]+)\.html$", "en"),
    Manual("faq", ("debian-faq", "debian-faq-"), r"/FAQ/(?:[^/]+/)?(?P<page>[^/]*?)\.(?P<lang>[^./]+)\.html$", "en"),
    Manual("kde_docs", tuple(KDE_MANUALS), r"/doc/HTML/(?P<lang>[^/]+)/(?P<page>.*)\.docbook$", "en"),
    Manual("gnome_help", tuple(GNOME_MANUALS), r"/help/(?P<lang>[^/]+)/(?P<page>.*)\.(?:page|docbook|xml)$", "C"),
    Manual("man_pages", tuple(MANUAL_PAGES), r"/man/(?:(?P<lang>[^/]+)/)?(?P<page>man\d[^/]*/.*)\.gz$", "en"),
]

# A section is asked for by its heading in its own language, in English, and in so many others.
FOREIGN_HEADINGS = 2

_BODY_STARTS = re.compile(r'<div id="DisplayArea"|<body')
_BLOCK = re.compile(r"<(p|para|simpara|title|h\d)\b[^>]*>(.*?)</\1>", re.S)
_PARAGRAPHS = ("p", "para", "simpara")
_SECTION = re.compile(r"<(?:chapter|preface|appendix|section|sect\d|refsect\d)\b[^>]*?\b(?:xml:)?id=\"([^\"]+)\"")
Blocks = list[tuple[bool, str]]


def _blocks(page: str) -> Blocks:
    """Whether it is a heading, and the text, of each heading and paragraph."""
    start = _BODY_STARTS.search(page)
    found = _BLOCK.findall(page, start.start() if start else 0)
    return [(tag not in _PARAGRAPHS, text) for tag, text in found]


def _parts(page: str, markup: str) -> list[tuple[str, str]]:
    """A page's sections that have a name (DocBook, Mallard), each with its text up to the next: a paragraph more or less in
    one of them does not cost the others their alignment."""
    sections = list(_SECTION.finditer(markup))
    names = [page, *(f"{page}#{section[1]}" for section in sections)]
    starts = [0, *(section.start() for section in sections)]
    return [(name, markup[start:end]) for name, start, end in zip(names, starts, [*starts[1:], None])]


def _pages(folder: str, manual: Manual) -> dict[str, dict[str, Blocks]]:
    path = re.compile(manual.path)
    pages: dict[str, dict[str, Blocks]] = collections.defaultdict(dict)
    for deb in [deb for name in manual.packages for deb in debs(folder, name)]:
        for name, data in deb_files(deb, manual.path):
            match = path.search(name)
            own = pages[match["lang"] or manual.english]
            if name.endswith(".gz"):
                own[match["page"]] = roff.blocks(gzip.decompress(data).decode("utf8", "replace"))
            else:
                own.update({part: _blocks(markup) for part, markup in _parts(match["page"], data.decode("utf8", "replace"))})
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


def _aligned(original: Blocks, blocks: Blocks) -> bool:
    """Whether a translation has headings and paragraphs where the original has them."""
    return [b[0] for b in original] == [b[0] for b in blocks]


def _foreign_headings(pages: dict[str, dict[str, Blocks]], name: str, lang: str, original: Blocks) -> list[Blocks]:
    """The page in some of the other languages but English, the same ones whenever it is asked."""
    others = [own[name] for code, own in sorted(pages.items()) if language(code) not in (language(lang), "en", "c") and name in own]
    usable = [blocks for blocks in others if _aligned(original, blocks) and blocks != original]
    start = zlib.crc32(f"{lang} {name}".encode())
    return [usable[(start + i) % len(usable)] for i in range(min(FOREIGN_HEADINGS, len(usable)))]


def extract_manual(folder: str, out: PairFiles, manual: Manual) -> None:
    pages = _pages(folder, manual)
    english = pages.get(manual.english, {})
    for lang, own in pages.items():
        for name, blocks in own.items():
            original = english.get(name, [])
            aligned = lang != manual.english and _aligned(original, blocks)
            untranslated = lang != manual.english and [b[1] for b in original] == [b[1] for b in blocks]
            if untranslated:
                continue
            page = f"{manual.source}/{name}"
            if held_out(page.split("#")[0]):
                for heading, first, end in _sections(blocks):
                    section = _joined(blocks, first, end)
                    if len(section) >= 80:
                        out.judge(f"{page}#{heading}", lang, blocks[heading][1], section)
                continue
            if aligned:
                for (_heading, a), (_same, b) in zip(original, blocks):
                    if len(a) > 8:
                        out.translation(manual.source, lang, a, b, 8)
            foreign = _foreign_headings(pages, name, lang, original) if aligned or lang == manual.english else []
            for heading, first, end in _sections(blocks):
                section = _joined(blocks, first, end)
                out.passage("ret_" + manual.source, lang, blocks[heading][1], section)
                if aligned:
                    out.passage("cross_" + manual.source, lang, original[heading][1], section)
                for other in foreign:
                    out.passage("foreign_" + manual.source, lang, other[heading][1], section)
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
