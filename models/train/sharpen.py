"""Gives every token back a direction of its own. Training moves the rows of words of like meaning together, so that names,
numbers and rare words find themselves less well than in a table of random rows; each row gets a random vector of a share of
its own length added.

    python3 sharpen.py TABLE.npy OUTPUT.npy [SHARE]

A larger share is better for questions in the passage's language and worse for translations in languages with little text."""

import math
import sys

import numpy as np

SHARE = 0.2
SEED = 1


def sharpen(table: np.ndarray, share: float) -> np.ndarray:
    own = np.random.default_rng(SEED).standard_normal(table.shape, dtype=np.float32) / math.sqrt(table.shape[1])
    return table + share * np.linalg.norm(table, axis=1, keepdims=True) * own


if __name__ == "__main__":
    source, target, *share = sys.argv[1:]
    np.save(target, sharpen(np.load(source).astype(np.float32), float(share[0]) if share else SHARE).astype(np.float16))
