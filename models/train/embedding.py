"""The model's arithmetic in PyTorch: token ids → unit vectors."""

import numpy as np
import torch

# What a text begins with says most of what it is about: its first LEAD tokens weigh 1 each, later ones less and less, by
# exp(-distance / FADE), down to LEAST.
LEAD, FADE, LEAST = 20, 24.0, 0.27
# Equal tokens of a text whose weights add up to s weigh s ** DAMPING together.
DAMPING = 0.5
# How much of what its surroundings have in common a vector loses, and how near surroundings are, see `centre`.
CENTRE_SHARE, CENTRE_SHARPNESS = 0.4, 10.0


def position_weights(length: int) -> np.ndarray:
    """What tokens weigh by where they stand."""
    return LEAST + (1 - LEAST) * np.exp(-np.maximum(np.arange(length) - LEAD, 0) / FADE)


def token_weights(texts: list[np.ndarray]) -> np.ndarray:
    """The weight of each token, texts end to end: by its place, and so that repeats are damped."""
    lengths = np.array([len(text) for text in texts])
    flat = np.concatenate(texts).astype(np.int64)
    ends = np.cumsum(lengths)
    weights = position_weights(int(lengths.max()))[np.arange(len(flat)) - np.repeat(ends - lengths, lengths)]
    key = flat + (np.repeat(np.arange(len(texts)), lengths) << 17)
    _unique, inverse = np.unique(key, return_inverse=True)
    return (weights * np.bincount(inverse, weights)[inverse] ** (DAMPING - 1)).astype(np.float32)


def bags(texts: list[np.ndarray]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids end to end, where each text begins, and weights, as `embedding_bag` takes them."""
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])[:-1]]).astype(np.int64)
    flat = np.concatenate(texts).astype(np.int64)
    return torch.from_numpy(flat), torch.from_numpy(starts), torch.from_numpy(token_weights(texts))


def embed(table: torch.Tensor, ids: torch.Tensor, starts: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Unit vectors, one row per text."""
    sums = torch.nn.functional.embedding_bag(ids, table, starts, mode="sum", per_sample_weights=weights)
    return torch.nn.functional.normalize(sums, dim=1)


def centre(vectors: torch.Tensor, centres: torch.Tensor) -> torch.Tensor:
    """Takes from unit vectors a share of the mean of the centres around them, so that what all texts of a topic or a language
    have in common counts less, and no text is near to every question (localised centring: Hara et al., "Localized Centering:
    Reducing Hubness in Large-Sample Data", 2015; here with centres weighted by their nearness)."""
    around = torch.softmax(CENTRE_SHARPNESS * vectors @ centres.T, dim=1) @ centres
    return torch.nn.functional.normalize(vectors - CENTRE_SHARE * around, dim=1)


def embed_texts(table: torch.Tensor, texts: list[np.ndarray], centres: torch.Tensor | None = None, at_once: int = 4096) -> torch.Tensor:
    """Unit vectors, one row per text; as training has them without centres, as the model gives them with."""
    with torch.no_grad():
        vectors = torch.cat([embed(table, *bags(texts[i : i + at_once])) for i in range(0, len(texts), at_once)])
        return vectors if centres is None else centre(vectors, centres)
