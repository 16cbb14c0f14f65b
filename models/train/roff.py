"""Reads manual pages: roff with the `man` macros."""

import re

_MACRO = re.compile(r"^[.'](\w+)\s*(.*)$")
_BREAKS = {"PP", "P", "LP", "TP", "IP", "SS", "RS", "RE", "br", "sp"}
_FONTS = {"B", "I", "BR", "RB", "IR", "RI", "BI", "IB", "SM"}
_FONT_ESCAPE = re.compile(r"\\f(?:\[\w*\]|\(..|.)|\\s[-+]?\d|\\[&%/,|^:]")
_ABOUT = re.compile(r"^.*?\s[-–—]+\s(.*)$", re.S)
_CHARACTERS = [("\\-", "-"), ("\\(em", "-"), ("\\(en", "-"), ("\\(hy", "-"), ("\\(aq", "'"), ("\\(cq", "'"), ("\\(oq", "'"), ("\\(lq", '"'), ("\\(rq", '"'), ("\\(dq", '"'), ("\\~", " "), ("\\e", "\\")]


def _plain(text: str) -> str:
    text = _FONT_ESCAPE.sub("", text)
    for escape, character in _CHARACTERS:
        text = text.replace(escape, character)
    return text


def blocks(page: str) -> list[tuple[bool, str]]:
    """Whether it is a heading, and the text, of each heading and paragraph. A section's heading says what the page is
    about too, since "Options" alone asks for nothing; the synopsis is left out."""
    sections: list[tuple[str, list[str]]] = []
    paragraph: list[str] = []

    def end_paragraph() -> None:
        text = " ".join(" ".join(paragraph).split())
        paragraph.clear()
        if text and sections:
            sections[-1][1].append(text)

    for line in page.split("\n"):
        macro = _MACRO.match(line)
        if macro and macro[1] == "SH":
            end_paragraph()
            sections.append((_plain(macro[2]).strip('" '), []))
        elif macro and macro[1] in _BREAKS:
            end_paragraph()
        elif macro and macro[1] in _FONTS:
            paragraph.append(_plain(macro[2].replace('"', "")))
        elif line[:1] not in (".", "'"):
            paragraph.append(_plain(line))
    end_paragraph()
    if len(sections) < 3:
        return []
    about = _ABOUT.match(" ".join(sections[0][1]))
    if not about:
        return []
    found: list[tuple[bool, str]] = []
    for number, (heading, paragraphs) in enumerate(sections[2:]):
        found.append((True, about[1] if number == 0 else f"{heading.capitalize()}: {about[1]}"))
        found += [(False, text) for text in paragraphs]
    return found
