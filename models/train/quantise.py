"""Rows of 4-bit numbers, two in a byte (the even one low, 8 standing for zero), with one half-precision scale a block.

    python3 quantise.py MODEL.onnx.data TABLE.npy       # back into a table, to go on training from a model that is there
"""

import sys

import numpy as np

BLOCK = 32
ZERO = 8
# Tried for each block, as shares of the scale that just holds its largest number; the one with the least error is kept.
SHRINKS = np.linspace(0.7, 1.0, 7, dtype=np.float32)


def quantise(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Packed rows (vocabulary × dimensions / 2, uint8) and scales (vocabulary × dimensions / BLOCK, float16)."""
    packed, scales = [], []
    for part in np.array_split(table.astype(np.float32), max(1, len(table) // 4096)):
        blocks = part.reshape(len(part), -1, BLOCK)
        largest = np.abs(blocks).max(2) / (ZERO - 1)
        best = np.full(largest.shape, np.inf, np.float32)
        scale = np.ones(largest.shape, np.float16)
        for shrink in SHRINKS:
            candidate = (largest * shrink).astype(np.float16)
            candidate[candidate == 0] = 1
            error = ((_levels(blocks, candidate) * candidate.astype(np.float32)[:, :, None] - blocks) ** 2).sum(2)
            better = error < best
            best[better], scale[better] = error[better], candidate[better]
        numbers = (_levels(blocks, scale) + ZERO).astype(np.uint8).reshape(len(part), -1)
        packed.append(numbers[:, 0::2] | (numbers[:, 1::2] << 4))
        scales.append(scale)
    return np.concatenate(packed), np.concatenate(scales)


def _levels(blocks: np.ndarray, scales: np.ndarray) -> np.ndarray:
    return np.clip(np.round(blocks / scales.astype(np.float32)[:, :, None]), -ZERO, ZERO - 1)


def dequantise(packed: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The table that the packed rows stand for."""
    table = np.empty((len(packed), packed.shape[1] * 2), np.float32)
    table[:, 0::2] = (packed & 15).astype(np.float32) - ZERO
    table[:, 1::2] = (packed >> 4).astype(np.float32) - ZERO
    return (table.reshape(len(table), -1, BLOCK) * scales.astype(np.float32)[:, :, None]).reshape(len(table), -1)


def read_rows(path: str, vocabulary: int, dimensions: int) -> tuple[np.ndarray, np.ndarray]:
    """Packed rows and scales of a model.onnx.data; scales in single precision, as an earlier model had them, are known by the size."""
    data = np.fromfile(path, np.uint8)
    rows = vocabulary * dimensions // 2
    scales = data[rows:].view(np.float32 if len(data) - rows == vocabulary * dimensions // BLOCK * 4 else np.float16)
    return data[:rows].reshape(vocabulary, -1), scales.reshape(vocabulary, -1)


if __name__ == "__main__":
    from train import DIMENSIONS, VOCABULARY

    np.save(sys.argv[2], dequantise(*read_rows(sys.argv[1], VOCABULARY, DIMENSIONS)).astype(np.float16))
