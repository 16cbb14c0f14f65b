"""The weighted mean of a table and others that training went on to from it: each has its own errors, which partly cancel, so the mean
scores better than any of them (Wortsman et al., "Model soups", 2022).

    python3 average.py OUTPUT.npy TABLE.npy SHARE [TABLE.npy SHARE]...

Shares add up to 1."""

import sys

import numpy as np


def average(tables: list[np.ndarray], shares: list[float]) -> np.ndarray:
    if abs(sum(shares) - 1) > 1e-6:
        raise SystemExit(f"shares add up to {sum(shares)}, not to 1")
    return sum(share * table for table, share in zip(tables, shares))


if __name__ == "__main__":
    output, *rest = sys.argv[1:]
    tables = [np.load(path).astype(np.float32) for path in rest[::2]]
    np.save(output, average(tables, [float(share) for share in rest[1::2]]).astype(np.float16))
