"""Numbers that the server computes with, read from its own source: what is trained with others would be judged by others."""

import os
import re

_PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def server_number(file: str, name: str) -> int | float:
    """The number that `file`, a path in the project, calls `const name`. Raises LookupError when there is no such line."""
    with open(os.path.join(_PROJECT, file), encoding="utf8") as source:
        found = re.search(rf"^(?:export )?const {name} = ([0-9][0-9_.e-]*);", source.read(), re.M)
    if found is None:
        raise LookupError(f"{file} has no line `const {name} = …;`: training goes by it")
    written = found[1].replace("_", "")
    return int(written) if written.isdigit() else float(written)
