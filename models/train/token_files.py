"""Reads the token files that encode.ts and encode_judging.ts write."""

import json
import os

import numpy as np


def read_tokens(folder: str, name: str) -> tuple[np.ndarray, np.ndarray, list]:
    """All ids of a set end to end, where each text begins (one entry more than texts), and its table of rows."""
    path = os.path.join(folder, name)
    ids = np.fromfile(path + ".ids", np.uint16)
    starts = np.concatenate([[0], np.cumsum(np.fromfile(path + ".lengths", np.uint16), dtype=np.int64)])
    with open(path + ".json", encoding="utf8") as file:
        return ids, starts, json.load(file)
