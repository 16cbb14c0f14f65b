"""Writes ranking.json as src/ranking/weights.ts reads it."""

from __future__ import annotations

import json

import torch

from network import Network

DIGITS = 5


def round_weights(network: torch.nn.Module) -> None:
    """So that what is judged is what is written."""
    with torch.no_grad():
        for values in network.parameters():
            values.copy_((values.double() * 10**DIGITS).round() / 10**DIGITS)


def rounded(values: list) -> list:
    return [rounded(value) if isinstance(value, list) else round(value, DIGITS) for value in values]


def layer(linear: torch.nn.Linear) -> dict:
    """A row of weights for each output."""
    bias = torch.zeros(linear.out_features) if linear.bias is None else linear.bias.detach()
    return {"weights": rounded(linear.weight.detach().tolist()), "bias": rounded(bias.tolist())}


def layers(network: torch.nn.Sequential) -> list[dict]:
    return [layer(part) for part in network if isinstance(part, torch.nn.Linear)]


def network(trained: Network) -> dict:
    return {"match": layers(trained.match), "pooling": layers(trained.weigh), "value": layers(trained.value), "linear": layer(trained.straight)}


def write(path: str, document: dict) -> None:
    with open(path, "w", encoding="utf8") as file:
        json.dump(document, file, separators=(",", ":"))
        file.write("\n")
