"""Writes a trained table and its centres as model.onnx, model.onnx.data and token-weights.bin.

    python3 export.py TABLE.npy CENTRES.npy MODEL_FOLDER [QUANTISED.npy]

QUANTISED.npy gets the table as the files hold it, to be scored like the one before.

The graph weighs tokens by their place in the text (embedding.py), looks equal tokens of a batch up once, adds their weights
by text, takes the square root of each sum, and multiplies it with the rows, whose even and odd numbers are unpacked apart. A
sum of (number - 8) * scale over the tokens is the sum of number * scale less 8 times the sum of scale, so that the zero point
is taken off once per text. Then vectors are centred. Lectern knows the operators up to the sum and computes them itself
(src/embedding/table-graph.ts): where they change, it does so no more.

token-weights.bin holds one byte per token: hundredths of its row's length. Training makes the rows of words short that say
little of what a text is about, in every language, and search weighs the words of a question by that."""

import os
import sys

import numpy as np

from embedding import CENTRE_SHARE, CENTRE_SHARPNESS, DAMPING, FADE, LEAD, LEAST
from onnx_file import FLOAT, FLOAT16, INT64, UINT8, constant, external, model, node, value
from quantise import BLOCK, ZERO, dequantise, quantise

# The graph's Sqrt, which is much faster than a power.
assert DAMPING == 0.5

DATA_FILE = "model.onnx.data"
WEIGHTS_FILE = "token-weights.bin"


def graph(vocabulary: int, dimensions: int, centres: np.ndarray) -> bytes:
    half, blocks = dimensions // 2, dimensions // BLOCK
    row_bytes = vocabulary * half

    def integers(name: str, *values: int) -> bytes:
        return constant(name, INT64, [len(values)], np.array(values, np.int64).tobytes())

    def number(name: str, of: float) -> bytes:
        return constant(name, FLOAT, [], np.float32(of).tobytes())

    constants = [
        external("rows", UINT8, [vocabulary, half], DATA_FILE, 0, row_bytes),
        external("scales", FLOAT16, [vocabulary, blocks], DATA_FILE, row_bytes, vocabulary * blocks * 2),
        integers("one_axis", -1),
        constant("token_axis", INT64, [], np.int64(1).tobytes()),
        integers("second_axis", 2),
        integers("in_blocks", -1, blocks, BLOCK // 2),
        integers("in_halves", -1, half),
        integers("in_whole_blocks", -1, blocks, BLOCK),
        integers("in_dimensions", -1, dimensions),
        number("first_faded", LEAD + 1),
        number("nothing", 0),
        number("fade", -FADE),
        number("fading", 1 - LEAST),
        number("least", LEAST),
        number("zero_point", ZERO),
        constant("half_centres", FLOAT16, list(centres.shape), centres.astype(np.float16).tobytes()),
        number("sharpness", CENTRE_SHARPNESS),
        number("centre_share", CENTRE_SHARE),
        constant("fifteen", UINT8, [], b"\x0f"),
        constant("four", UINT8, [], b"\x04"),
    ]
    nodes = [
        node("Cast", ["attention_mask"], ["mask"], to=FLOAT),
        node("CumSum", ["mask", "token_axis"], ["ordinal"]),
        node("Sub", ["ordinal", "first_faded"], ["signed_distance"]),
        node("Max", ["signed_distance", "nothing"], ["distance"]),
        node("Div", ["distance", "fade"], ["exponent"]),
        node("Exp", ["exponent"], ["unfaded"]),
        node("Mul", ["unfaded", "fading"], ["faded"]),
        node("Add", ["faded", "least"], ["by_place"]),
        node("Mul", ["by_place", "mask"], ["place_weights"]),
        node("Reshape", ["input_ids", "one_axis"], ["flat_ids"]),
        node("Unique", ["flat_ids"], ["distinct_ids", "", "place"], sorted=0),
        node("Shape", ["input_ids"], ["shape"]),
        node("Shape", ["input_ids"], ["texts"], start=0, end=1),
        node("Shape", ["distinct_ids"], ["distinct"]),
        node("Concat", ["texts", "distinct"], ["weight_shape"], axis=0),
        node("ConstantOfShape", ["weight_shape"], ["no_weights"]),
        node("Reshape", ["place", "shape"], ["places"]),
        node("ScatterElements", ["no_weights", "places", "place_weights"], ["added_weights"], axis=1, reduction="add"),
        node("Sqrt", ["added_weights"], ["weights"]),
        node("Gather", ["rows", "distinct_ids"], ["packed"], axis=0),
        node("Gather", ["scales", "distinct_ids"], ["half_scales"], axis=0),
        node("Cast", ["half_scales"], ["own_scales"], to=FLOAT),
        node("Unsqueeze", ["own_scales", "second_axis"], ["block_scales"]),
        node("BitwiseAnd", ["packed", "fifteen"], ["even_bits"]),
        node("BitShift", ["packed", "four"], ["odd_bits"], direction="RIGHT"),
    ]
    for side in ("even", "odd"):
        nodes += [
            node("Cast", [side + "_bits"], [side + "_numbers"], to=FLOAT),
            node("Reshape", [side + "_numbers", "in_blocks"], [side + "_blocks"]),
            node("Mul", [side + "_blocks", "block_scales"], [side + "_scaled"]),
            node("Reshape", [side + "_scaled", "in_halves"], [side + "_rows"]),
            node("MatMul", ["weights", side + "_rows"], [side + "_sum"]),
            node("Unsqueeze", [side + "_sum", "second_axis"], [side + "_column"]),
        ]
    nodes += [
        node("Concat", ["even_column", "odd_column"], ["interleaved"], axis=2),
        node("Reshape", ["interleaved", "in_whole_blocks"], ["raw_sum"]),
        node("MatMul", ["weights", "own_scales"], ["scale_sum"]),
        node("Mul", ["scale_sum", "zero_point"], ["zero_sum"]),
        node("Unsqueeze", ["zero_sum", "second_axis"], ["zero_blocks"]),
        node("Sub", ["raw_sum", "zero_blocks"], ["centred"]),
        node("Reshape", ["centred", "in_dimensions"], ["sum"]),
        node("LpNormalization", ["sum"], ["unit"], axis=-1, p=2),
        node("Cast", ["half_centres"], ["centres"], to=FLOAT),
        node("Transpose", ["centres"], ["centre_columns"]),
        node("MatMul", ["unit", "centre_columns"], ["nearness"]),
        node("Mul", ["nearness", "sharpness"], ["sharp_nearness"]),
        node("Softmax", ["sharp_nearness"], ["shares"], axis=-1),
        node("MatMul", ["shares", "centres"], ["around"]),
        node("Mul", ["around", "centre_share"], ["common"]),
        node("Sub", ["unit", "common"], ["uncommon"]),
        node("LpNormalization", ["uncommon"], ["embedding"], axis=-1, p=2),
    ]
    inputs = [value(name, INT64, ["batch", "tokens"]) for name in ("input_ids", "attention_mask")]
    return model("static_embedder", nodes, constants, inputs, [value("embedding", FLOAT, ["batch", dimensions])], opset=18)


def export(table: np.ndarray, centres: np.ndarray, folder: str) -> np.ndarray:
    """Writes the files; the table that they stand for."""
    packed, scales = quantise(table)
    with open(os.path.join(folder, DATA_FILE), "wb") as file:
        file.write(packed.tobytes())
        file.write(scales.tobytes())
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(graph(*table.shape, centres))
    result = dequantise(packed, scales)
    with open(os.path.join(folder, WEIGHTS_FILE), "wb") as file:
        lengths = np.linalg.norm(result.astype(np.float32), axis=1)
        file.write(np.clip(np.rint(lengths * 100), 1, 255).astype(np.uint8).tobytes())
    return result


if __name__ == "__main__":
    table, centres, folder, *quantised = sys.argv[1:]
    result = export(np.load(table), np.load(centres), folder)
    if quantised:
        np.save(quantised[0], result)
