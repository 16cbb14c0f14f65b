/**
 * Holds the exported model to the training code: the same ids of the same lines, and the same vectors.
 *
 *     bun compare.ts MODEL_FOLDER QUANTISED.npy CENTRES.npy JUDGING_FOLDER JUDGING_TOKENS
 *
 * Reads lines of flores_dev and ntrex_dev in every language through the tokenizer and the graph as the server loads them,
 * and compares with the ids that training saw and with sums of the quantised table's rows. Exits with 1 on a difference.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { Tokenizer } from "tokenizers";

const LINES_COMPARED = 12_000;
const VECTORS_COMPARED = 1_500;
const DIMENSIONS = 1536;
const LARGEST_DIFFERENCE = 1e-5;

/** The numbers of a little-endian, row-major single-precision .npy file. */
function readTable(path: string): Float32Array {
  const file = readFileSync(path);
  const start = 10 + file.readUInt16LE(8);
  if (!file.subarray(10, start).toString("latin1").includes("'<f4'")) throw new Error(`${path} is not single precision`);
  return new Float32Array(file.buffer.slice(file.byteOffset + start, file.byteOffset + file.length));
}

// embedding.py, written again: what the graph does otherwise shows as a difference.
const placeWeight = (place: number): number => 0.27 + 0.73 * Math.exp(-Math.max(0, place - 20) / 24);
const CENTRE_SHARE = 0.4;
const CENTRE_SHARPNESS = 10;

/** Unit sum of the ids' rows, each id counting with the square root of what its places weigh together; see embedding.py. */
function summedVector(ids: Uint16Array, table: Float32Array): Float64Array {
  const weights = new Map<number, number>();
  ids.forEach((id, place) => weights.set(id, (weights.get(id) ?? 0) + placeWeight(place)));
  const sum = new Float64Array(DIMENSIONS);
  for (const [id, weight] of weights) {
    for (let axis = 0; axis < DIMENSIONS; axis += 1) sum[axis]! += Math.sqrt(weight) * table[id * DIMENSIONS + axis]!;
  }
  return unit(sum);
}

/** Less a share of the mean of the centres, each counting by its nearness. */
function centredVector(vector: Float64Array, centres: Float32Array): Float64Array {
  const nearness: number[] = [];
  for (let start = 0; start < centres.length; start += DIMENSIONS) {
    nearness.push(Math.exp(CENTRE_SHARPNESS * vector.reduce((dot, value, axis) => dot + value * centres[start + axis]!, 0)));
  }
  const whole = nearness.reduce((sum, value) => sum + value, 0);
  return unit(vector.map((value, axis) => value - CENTRE_SHARE * nearness.reduce((around, near, centre) => around + (near / whole) * centres[centre * DIMENSIONS + axis]!, 0)));
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const [folder, tablePath, centresPath, judging, tokens] = process.argv.slice(2) as [string, string, string, string, string];
const tokenizer = Tokenizer.fromFile(join(folder, "tokenizer.json"));
tokenizer.disablePadding();
const session = await InferenceSession.create(join(folder, "model.onnx"), { intraOpNumThreads: 1 });
const table = readTable(tablePath);
const centres = readTable(centresPath);
let lines = 0;
let unequal = 0;
let vectors = 0;
let largest = 0;
for (const name of ["flores_dev", "ntrex_dev"]) {
  const texts = execFileSync("xzcat", [join(judging, name + ".tsv.xz")], { maxBuffer: 1 << 30 })
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .flatMap((line) => line.split("\t").slice(1));
  const buffer = (kind: string) => new Uint16Array(readFileSync(join(tokens, name + kind)).buffer as ArrayBuffer);
  const ids = buffer(".ids");
  const lengths = buffer(".lengths");
  // An odd stride meets both sides of the pairs.
  const stride = Math.floor((texts.length * 2) / LINES_COMPARED) | 1;
  for (let at = 0, start = 0; at < texts.length; start += lengths[at] as number, at += 1) {
    if (at % stride !== 0) continue;
    const trained = ids.subarray(start, start + (lengths[at] as number));
    const read = (await tokenizer.encode(texts[at] as string)).getIds();
    lines += 1;
    if (read.length !== trained.length || read.some((id, i) => id !== trained[i])) unequal += 1;
    if (lines % Math.ceil(LINES_COMPARED / VECTORS_COMPARED) !== 0) continue;
    const shape = [1, trained.length];
    const feeds = {
      input_ids: new Tensor("int64", BigInt64Array.from(trained, BigInt), shape),
      attention_mask: new Tensor("int64", new BigInt64Array(trained.length).fill(1n), shape),
    };
    const vector = (await session.run(feeds)).embedding?.data as Float32Array;
    const expected = centredVector(summedVector(trained, table), centres);
    vectors += 1;
    for (let axis = 0; axis < DIMENSIONS; axis += 1) largest = Math.max(largest, Math.abs(vector[axis]! - expected[axis]!));
  }
}
console.log(`${lines} lines, ${unequal} with other ids; ${vectors} vectors, largest difference of a number ${largest.toExponential(1)}`);
if (unequal > 0 || !(largest <= LARGEST_DIFFERENCE)) process.exit(1);
