/** The ranking network's weights, as the built-in model's `ranking.json` holds them (`models/train/ranking` writes it). */
import { readFile } from "node:fs/promises";
import { fail } from "../foundation/errors.ts";

export interface Layer {
  readonly inputs: number;
  readonly outputs: number;
  /** Row-major, outputs × inputs. */
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

/** Two layers with a rectifier between them. */
export interface Layers {
  readonly hidden: Layer;
  readonly out: Layer;
}

/** How sure a result is: layers to a logit, and points [logit, score], both rising. */
export interface Confidence {
  readonly layers: Layers;
  readonly calibration: ReadonlyArray<readonly [number, number]>;
  /** What values are multiplied by before their shares are taken. */
  readonly sharpness: number;
  /** How sure it is that the dataset answers the question at all, as far as one result shows: a logit. */
  readonly answerable: Layers;
  /** A search of which no result shows so much has found nothing that answers. */
  readonly floor: number;
}

/** One network: what it sees of a unit in a candidate, what each unit is worth, and what a candidate is worth by two ways that are added. */
export interface Network {
  readonly match: Layers;
  readonly pooling: Layers;
  readonly value: Layers;
  readonly linear: Layer;
}

export interface RankingWeights {
  readonly network: {
    /** For datasets of one language. */
    readonly single: Network;
    /** For those of several. */
    readonly mixed: Network;
    /** What the plain sum of evidence is multiplied by where it speaks beside `single`. */
    readonly plainScale: number;
    /** What the first stage's similarity is multiplied by where it speaks beside `mixed`. */
    readonly firstStageScale: number;
    /** How mixed a dataset is: a logit. */
    readonly gate: Layer;
  };
  /** For candidates ordered by the network, and by the plain sum of evidence. */
  readonly confidence: { readonly full: Confidence; readonly fast: Confidence };
  /** Cosines among the candidates of a search by the built-in model: those of another model are moved and scaled to this. */
  readonly cosine: { readonly mean: number; readonly deviation: number };
}

type Rows = number[][];
interface StoredLayer {
  weights: Rows;
  bias: number[];
}

interface StoredNetwork {
  match: StoredLayer[];
  pooling: StoredLayer[];
  value: StoredLayer[];
  linear: StoredLayer;
}

/** Reads the file. Throws OPERATION_FAILED when it cannot be read, or is of another shape. */
export async function readWeights(path: string): Promise<RankingWeights> {
  let json: string;
  try {
    json = await readFile(path, "utf8");
  } catch (cause) {
    throw fail("OPERATION_FAILED", { reason: `The model's file ${path} cannot be read.` }, undefined, cause);
  }
  return parseWeights(json, path);
}

/** Reads the file's text. Throws OPERATION_FAILED when it is of another shape. */
export function parseWeights(json: string, where: string): RankingWeights {
  try {
    const stored = JSON.parse(json) as {
      network: {
        single: StoredNetwork;
        mixed: StoredNetwork;
        plainScale: number;
        firstStageScale: number;
        gate: StoredLayer;
      };
      confidence: Record<
        "full" | "fast",
        {
          layers: StoredLayer[];
          calibration: [number, number][];
          sharpness: number;
          answerable: StoredLayer[];
          floor: number;
        }
      >;
      cosine: { mean: number; deviation: number };
    };
    const confidence = ({
      layers,
      calibration,
      sharpness,
      answerable,
      floor,
    }: (typeof stored.confidence)["full"]): Confidence => ({
      layers: layersOf(layers, 17, 1),
      calibration: rising(calibration),
      sharpness: finite(sharpness),
      answerable: layersOf(answerable, 9, 1),
      floor: finite(floor),
    });
    return {
      network: {
        single: networkOf(stored.network.single),
        mixed: networkOf(stored.network.mixed),
        plainScale: finite(stored.network.plainScale),
        firstStageScale: finite(stored.network.firstStageScale),
        gate: layerOf(stored.network.gate, 8, 1),
      },
      confidence: { full: confidence(stored.confidence.full), fast: confidence(stored.confidence.fast) },
      cosine: { mean: finite(stored.cosine.mean), deviation: finite(stored.cosine.deviation) },
    };
  } catch (cause) {
    throw fail(
      "OPERATION_FAILED",
      { reason: `${where} does not hold the weights of a ranking network: ${(cause as Error).message}.` },
      undefined,
      cause,
    );
  }
}

function networkOf({ match, pooling, value, linear }: StoredNetwork): Network {
  return {
    match: layersOf(match, 14, 3),
    pooling: layersOf(pooling, 10, 3),
    value: layersOf(value, 30, 1),
    linear: layerOf(linear, 30, 1),
  };
}

function layersOf([hidden, out]: StoredLayer[], inputs: number, outputs: number): Layers {
  const first = layerOf(hidden!, inputs);
  return { hidden: first, out: layerOf(out!, first.outputs, outputs) };
}

function layerOf({ weights, bias }: StoredLayer, inputs: number, outputs = bias.length): Layer {
  if (
    bias.length !== outputs ||
    weights.length !== outputs ||
    outputs > 64 ||
    weights.some((row) => row.length !== inputs)
  )
    throw new TypeError(`a layer is not of ${inputs} inputs and ${outputs} outputs`);
  return { inputs, outputs, weights: Float32Array.from(weights.flat(), finite), bias: Float32Array.from(bias, finite) };
}

function rising(points: [number, number][]): [number, number][] {
  if (
    points.length < 2 ||
    points.some(
      ([at, level], index) =>
        !Number.isFinite(at) ||
        level < 0 ||
        level > 1 ||
        (index > 0 && (at <= points[index - 1]![0] || level < points[index - 1]![1])),
    )
  )
    throw new TypeError("a calibration does not rise");
  return points;
}

function finite(value: number): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new TypeError("a number is missing");
  return value;
}
