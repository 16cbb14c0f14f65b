"""Downloads the Debian and npm packages of sources.py into FOLDER/debs and FOLDER/npm, and the translated package
descriptions into FOLDER/lists. Needs apt (Debian 12) and npm; files that are there already are kept.

    python3 fetch.py FOLDER
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch

from sources import DEBIAN_PACKAGES, DESCRIPTION_LANGUAGES, NPM_PACKAGES

# A language's packages can come as one per region; these hold nothing that the language's own does not.
SKIPPED = ("-all", "-common", "-dbg", "-legacy-")


def debian_names() -> list[str]:
    """Every package name that one of the patterns stands for, in the lists that apt has."""
    known = subprocess.run(["apt-cache", "pkgnames"], capture_output=True, text=True, check=True).stdout.split()
    wanted = set()
    for pattern, _licence in DEBIAN_PACKAGES:
        exact = "*" not in pattern
        if exact and pattern not in known:
            raise SystemExit(f"sources.py names {pattern}, which apt does not know")
        wanted |= {n for n in known if n == pattern or (not exact and fnmatch(n, pattern) and not any(s in n for s in SKIPPED))}
    return sorted(wanted)


def fetch_debian(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    have = {name.split("_")[0] for name in os.listdir(folder) if name.endswith(".deb")}
    missing = [name for name in debian_names() if name not in have]

    def download(names: list[str]) -> None:
        subprocess.run(["apt-get", "download", "-qq", *names], cwd=folder, check=True)

    groups = [missing[i : i + 12] for i in range(0, len(missing), 12)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(download, groups))


def fetch_npm(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for name, version, _licence in NPM_PACKAGES:
        stem = name.lstrip("@").replace("/", "-")
        if not any(file.startswith(stem + "-") for file in os.listdir(folder)):
            subprocess.run(["npm", "pack", "--silent", f"{name}@{version}"], cwd=folder, check=True)


def fetch_descriptions(folder: str) -> None:
    """Debian's package descriptions, into lists of their own so that the machine's stay as they are."""
    os.makedirs(os.path.join(folder, "partial"), exist_ok=True)
    options = ["-o", f"Dir::State::Lists={folder}", "-o", "Acquire::Languages=" + DESCRIPTION_LANGUAGES, "-o", "Acquire::GzipIndexes=true"]
    subprocess.run(["apt-get", "update", "-qq", *options], check=True)


if __name__ == "__main__":
    target = os.path.abspath(sys.argv[1])
    fetch_npm(os.path.join(target, "npm"))
    fetch_descriptions(os.path.join(target, "lists"))
    fetch_debian(os.path.join(target, "debs"))
