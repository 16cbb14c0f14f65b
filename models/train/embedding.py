"""The model's arithmetic in PyTorch: token ids → unit vectors."""

import numpy as np
import torch

# c repeats of a token in one text weigh c ** DAMPING together.
DAMPING = 0.5


def repeat_weights(texts: list[np.ndarray]) -> np.ndarray:
    """The weight of each token, texts end to end, so that c equal tokens of one text weigh c ** DAMPING together."""
    lengths = np.array([len(text) for text in texts])
    flat = np.concatenate(texts).astype(np.int64)
    key = flat + (np.repeat(np.arange(len(texts)), lengths) << 17)
    _unique, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    return (counts[inverse].astype(np.float32)) ** (DAMPING - 1)


def bags(texts: list[np.ndarray]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids end to end, where each text begins, and weights, as `embedding_bag` takes them."""
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])[:-1]]).astype(np.int64)
    flat = np.concatenate(texts).astype(np.int64)
    return torch.from_numpy(flat), torch.from_numpy(starts), torch.from_numpy(repeat_weights(texts))


def embed(table: torch.Tensor, ids: torch.Tensor, starts: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Unit vectors, one row per text."""
    sums = torch.nn.functional.embedding_bag(ids, table, starts, mode="sum", per_sample_weights=weights)
    return torch.nn.functional.normalize(sums, dim=1)


def embed_texts(table: torch.Tensor, texts: list[np.ndarray], at_once: int = 4096) -> torch.Tensor:
    with torch.no_grad():
        return torch.cat([embed(table, *bags(texts[i : i + at_once])) for i in range(0, len(texts), at_once)])
