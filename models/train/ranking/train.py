"""Trains the ranking network and how sure its results are, judges both, and writes ranking.json.

    python3 train.py INPUTS OUTPUT.json [--ablate] [--steps N] [--seeds N] [--threads N]

INPUTS is a folder that inputs.ts wrote."""

from __future__ import annotations

import argparse

import numpy as np
import torch

import ranking_file
from ablation import ablate
from figures import balanced, mean_reciprocal, report
from learning import MIXED, ONE_LANGUAGE, answerable, train_network
from mixture import FIRST_STAGE_SCALE, PLAIN_SCALE, Mixture, gate_shares, train_gate
from network import Network, judge, judge_plainly
from question_inputs import COSINE, Questions, by_kind, read_sets, together
from scores import Fitted
from unseen import as_unseen

# The kind of sets of which some questions are about other topics than the passages.
OTHER_TOPIC = "other-topic"


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("inputs")
    options.add_argument("output")
    options.add_argument("--ablate", action="store_true")
    options.add_argument("--steps", type=int, default=1500)
    options.add_argument("--seeds", type=int, default=2)
    options.add_argument("--threads", type=int, default=1)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)

    sets = [as_unseen(own) for own in read_sets(chosen.inputs)]
    training, judging = [own for own in sets if not own.for_judging()], [own for own in sets if own.for_judging()]
    # Of these and of small collections the order is not learnt, only scores and whether anything answers.
    elsewhere = {OTHER_TOPIC: together([own.questions for own in training if own.kind == OTHER_TOPIC])}
    training = [own for own in training if own.kind != OTHER_TOPIC]
    train = {kind: together([own.part(False).questions for own in group]) for kind, group in by_kind(training).items()}
    held = {kind: together([own.part(True).questions for own in group]) for kind, group in by_kind(training).items()}
    judged = {kind: together([own.questions for own in group]) for kind, group in by_kind(judging).items()}
    learnt = {kind: answerable(train[kind]) for kind in MIXED}
    print(f"{sum(map(len, learnt.values()))} questions to train on, {sum(map(len, held.values()))} held out, {sum(map(len, judged.values()))} to judge by", flush=True)
    if chosen.ablate:
        ablate(learnt, held, judged, chosen.steps)
        return

    single = best_network([train_network(learnt, ONE_LANGUAGE, chosen.steps, seed) for seed in range(1, chosen.seeds + 1)], {kind: held[kind] for kind in ONE_LANGUAGE})
    mixed = best_network([train_network(learnt, MIXED, chosen.steps, seed) for seed in range(1, chosen.seeds + 1)], {kind: held[kind] for kind in MIXED})
    network = Mixture(single, mixed)
    train_gate(network, learnt)
    print("share of the network for mixed datasets: " + ", ".join(f"{kind} {share:.2f}" for kind, share in gate_shares(network, held | judged).items()))
    ranking_file.round_weights(network)
    print("held out of training:")
    report(network, [own.part(True) for own in training])
    print("judged:")
    report(network, judging)

    floored = ("same", "small", OTHER_TOPIC)
    full = Fitted(lambda questions: judge(network, questions), train, held, elsewhere, floored, sharpness=1)
    fast = Fitted(judge_plainly, train, held, elsewhere, floored)
    for name, fitted in (("scores", full), ("scores of the plain sum", fast)):
        print(name, end=": ")
        fitted.report(held | elsewhere | judged)
    ranking_file.write(chosen.output, {
        "network": {"single": ranking_file.network(single), "mixed": ranking_file.network(mixed), "plainScale": PLAIN_SCALE, "firstStageScale": FIRST_STAGE_SCALE, "gate": ranking_file.layer(network.gate)},
        "confidence": {"full": full.document(), "fast": fast.document()},
        "cosine": cosines({kind: train[kind] for kind in MIXED}),
    })
    print(f"{chosen.output}: {sum(values.numel() for values in network.parameters())} weights, and {full.weights()} for scores")


def best_network(networks: list[Network], held: dict[str, Questions]) -> Network:
    """By the mean over the kinds of questions that none was trained on."""
    scores = [mean_reciprocal(network, held) for network in networks]
    for seed, own in enumerate(scores, 1):
        print(f"seed {seed}: {balanced(own):.4f} held out; " + ", ".join(f"{kind} {score:.4f}" for kind, score in own.items()))
    return networks[int(np.argmax([balanced(own) for own in scores]))]


def cosines(kinds: dict[str, Questions]) -> dict[str, float]:
    """Mean and deviation of the cosines among a question's candidates: those of another model are moved and scaled to these."""
    own = [questions.chunks[..., COSINE] for questions in kinds.values()]
    return {
        "mean": round(float(torch.cat([cosine.mean(1) for cosine in own]).mean()), ranking_file.DIGITS),
        "deviation": round(float(torch.cat([cosine.std(1, unbiased=False) for cosine in own]).mean()), ranking_file.DIGITS),
    }


if __name__ == "__main__":
    main()
