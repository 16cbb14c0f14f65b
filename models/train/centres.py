"""Finds the centres that `embedding.centre` takes out of vectors: means of groups of training texts whose vectors point the same way
(spherical k-means), in half precision, as the model holds them.

    python3 centres.py TABLE.npy TOKENS CENTRES.npy"""

import sys

import numpy as np
import torch

from embedding import embed_texts
from tasks import Sampler

CENTRES = 512
SEED = 1
# Drawn as training draws them, so that each source and language has its share.
BLOCKS, BLOCK = 128, 256
ROUNDS = 8


def draw_texts(sampler: Sampler) -> list[np.ndarray]:
    return [text for _block in range(BLOCKS) for pair in sampler.block(BLOCK) for text in pair]


def find_centres(vectors: torch.Tensor) -> torch.Tensor:
    centres = vectors[torch.randperm(len(vectors), generator=torch.Generator().manual_seed(SEED))[:CENTRES]]
    for _round in range(ROUNDS):
        nearest = (vectors @ centres.T).argmax(1)
        # A centre that has lost its texts stays where it is.
        sums = (centres * 1e-6).index_add(0, nearest, vectors)
        centres = torch.nn.functional.normalize(sums, dim=1)
    return centres


if __name__ == "__main__":
    source, tokens, target = sys.argv[1:]
    table = torch.from_numpy(np.load(source).astype(np.float32))
    centres = find_centres(embed_texts(table, draw_texts(Sampler(tokens, SEED))))
    np.save(target, centres.numpy().astype(np.float16).astype(np.float32))
