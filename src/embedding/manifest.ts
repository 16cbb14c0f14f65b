/** What a model folder says of its model: `manifest.json`, checked field by field with sentences for whoever wrote it. */

import { fail } from "../foundation/errors.ts";

const POOLINGS = ["none", "mean", "cls", "last"] as const;
/** How one vector per text comes of the graph's output; "none": the graph already ends in one vector per text. */
export type Pooling = (typeof POOLINGS)[number];

const SEARCH_MODES = ["hybrid", "vector"] as const;
/** By vectors and words together, or by vectors alone. */
export type SearchMode = (typeof SEARCH_MODES)[number];

/** Points [similarity, score], both rising strictly. */
export type Calibration = ReadonlyArray<readonly [number, number]>;

/** How passages found by this model's vectors are ranked. */
export interface SearchSettings {
  /** Unless the operator chooses. Hybrid suits models that were measured so; "vector" where the manifest says nothing. */
  readonly mode: SearchMode;
  /**
   * Hybrid similarity is denseWeight × max(0, cosine) + (1 - denseWeight) × overlap², the overlap being BM25 over the built-in
   * model's tokens and the words as a share of the question's maximum. 0-1.
   */
  readonly denseWeight: number;
  /** A file of the folder with one byte per token id: hundredths of how much a token in a question says. Only the built-in model's is used, for every model. */
  readonly tokenWeights?: string;
  /** A file of the folder with the weights by which candidates are ranked once they are read. Only the built-in model has one, and it serves all. */
  readonly ranking?: string;
  /** The file of the lexicon (lexicon.ts): what words of other languages are in English. Absent: questions are asked in their own words alone. */
  readonly lexicon?: string;
  /** Points [hybrid similarity, score]; without them the similarity itself is shown. */
  readonly calibration?: Calibration;
}

/** The names of the graph's inputs; null where the graph has no such input. */
export interface ModelInputs {
  readonly inputIds: string;
  readonly attentionMask: string | null;
  readonly tokenTypeIds: string | null;
  readonly positionIds: string | null;
}

export interface ModelManifest {
  readonly name: string;
  readonly version: string;
  readonly dimensions: number;
  /** The most tokens that the model reads of one text, special tokens included; what is beyond is cut. */
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** Whether vectors must still be scaled to unit length after pooling. */
  readonly normalise: boolean;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly inputs: ModelInputs;
  /** The graph's output to read. */
  readonly output: string;
  /** Whether what a text begins with weighs most: then a chunk is read with what it repeats of the one before at its end. */
  readonly leadWeighted: boolean;
  readonly padding: { readonly side: "left" | "right"; readonly tokenId: number };
  /** SHA-256 in hex of each file of the folder, manifest.json itself left out. */
  readonly files: Readonly<Record<string, string>>;
  /** Points [cosine, score] of a monotone piecewise-linear map: what searches by vectors alone show. */
  readonly calibration?: Calibration;
  readonly search: SearchSettings;
  readonly licence: string;
  readonly languages: readonly string[];
}

type Json = Record<string, unknown>;

/**
 * Reads a manifest from its JSON text. `where` names the manifest in error sentences.
 * Throws OPERATION_FAILED, naming the field and what it should hold.
 */
export function parseManifest(json: string, where: string): ModelManifest {
  const wrong = (reason: string, cause?: unknown) =>
    fail("OPERATION_FAILED", { reason: `${where}: ${reason}` }, undefined, cause);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw wrong("this is not JSON.", cause);
  }
  if (!isObject(value)) throw wrong("this is not a JSON object.");
  return readFields(new Fields(value, "", wrong));
}

function readFields(fields: Fields): ModelManifest {
  const inputs = fields.object("inputs");
  const padding = fields.object("padding", {});
  const calibration = fields.calibration("calibration");
  const search = fields.object("search", {});
  const searchCalibration = search.calibration("calibration");
  const files = fields.hashes("files");
  const tokenWeights = search.fileOf("tokenWeights", files);
  const ranking = search.fileOf("ranking", files);
  const lexicon = search.fileOf("lexicon", files);
  return {
    name: fields.identifier("name"),
    version: fields.identifier("version"),
    dimensions: fields.integer("dimensions", 1, 16_384),
    maxTokens: fields.integer("maxTokens", 8, 1_000_000),
    pooling: fields.oneOf("pooling", POOLINGS),
    normalise: fields.boolean("normalise"),
    queryPrefix: fields.string("queryPrefix", ""),
    passagePrefix: fields.string("passagePrefix", ""),
    inputs: {
      inputIds: inputs.string("inputIds"),
      attentionMask: inputs.nullableString("attentionMask"),
      tokenTypeIds: inputs.nullableString("tokenTypeIds"),
      positionIds: inputs.nullableString("positionIds"),
    },
    output: fields.string("output"),
    leadWeighted: fields.boolean("leadWeighted", false),
    padding: {
      side: padding.oneOf("side", ["right", "left"] as const, "right"),
      tokenId: padding.integer("tokenId", 0, 0xffff_ffff, 0),
    },
    files,
    ...(calibration && { calibration }),
    search: {
      mode: search.oneOf("mode", SEARCH_MODES, "vector"),
      denseWeight: search.share("denseWeight", 0.5),
      ...(tokenWeights !== null && { tokenWeights }),
      ...(ranking !== null && { ranking }),
      ...(lexicon !== null && { lexicon }),
      ...(searchCalibration && { calibration: searchCalibration }),
    },
    licence: fields.string("licence"),
    languages: fields.strings("languages"),
  };
}

/** Reads the fields of one JSON object, each by a method that says what the field should have held. */
class Fields {
  constructor(
    private readonly values: Json,
    private readonly prefix: string,
    private readonly wrong: (reason: string) => Error,
  ) {}

  string(key: string, fallback?: string): string {
    const value = this.values[key] ?? fallback;
    if (typeof value !== "string") throw this.should(key, "a string");
    return value;
  }

  nullableString(key: string): string | null {
    const value = this.values[key] ?? null;
    if (value !== null && typeof value !== "string") throw this.should(key, "a string or null");
    return value;
  }

  /** A name that is safe in a folder's name and in a dataset's record. */
  identifier(key: string): string {
    const value = this.string(key);
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(value)) {
      throw this.should(key, "1-64 letters, digits, dots, hyphens or underscores, a letter or digit first");
    }
    return value;
  }

  integer(key: string, least: number, most: number, fallback?: number): number {
    const value = this.values[key] ?? fallback;
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
      throw this.should(key, `an integer in ${least}-${most}`);
    }
    return value;
  }

  /** A number in 0-1. */
  share(key: string, fallback: number): number {
    const value = this.values[key] ?? fallback;
    if (typeof value !== "number" || !(value >= 0 && value <= 1)) throw this.should(key, "a number in 0-1");
    return value;
  }

  boolean(key: string, fallback?: boolean): boolean {
    const value = this.values[key] ?? fallback;
    if (typeof value !== "boolean") throw this.should(key, "true or false");
    return value;
  }

  oneOf<const T extends string>(key: string, allowed: readonly T[], fallback?: T): T {
    const value = this.values[key] ?? fallback;
    const found = allowed.find((one) => one === value);
    if (found === undefined) throw this.should(key, `one of ${allowed.map((one) => `"${one}"`).join(", ")}`);
    return found;
  }

  strings(key: string): string[] {
    const value = this.values[key];
    if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
      throw this.should(key, "an array of strings");
    return value;
  }

  object(key: string, fallback?: Json): Fields {
    const value = this.values[key] ?? fallback;
    if (!isObject(value)) throw this.should(key, "an object");
    return new Fields(value, `${this.prefix}${key}.`, this.wrong);
  }

  /** File names (no folders, so that none can point out of the model's own) with their SHA-256. */
  hashes(key: string): Record<string, string> {
    const value = this.values[key];
    if (!isObject(value)) throw this.should(key, "an object of file names and SHA-256");
    const entries = Object.entries(value);
    for (const [file, hash] of entries) {
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(file)) throw this.should(`${key}.${file}`, "named by a plain file name");
      if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash))
        throw this.should(`${key}.${file}`, "a SHA-256 in lower-case hex");
    }
    for (const needed of ["model.onnx", "tokenizer.json"]) {
      if (!(needed in value)) throw this.should(key, `an entry for ${needed}`);
    }
    return Object.fromEntries(entries) as Record<string, string>;
  }

  /** One of the model's files, or null. */
  fileOf(key: string, files: Readonly<Record<string, string>>): string | null {
    const value = this.nullableString(key);
    if (value !== null && !Object.hasOwn(files, value)) throw this.should(key, 'one of the names in "files"');
    return value;
  }

  calibration(key: string): Array<[number, number]> | undefined {
    const value = this.values[key];
    if (value === undefined) return undefined;
    const shape =
      "at least two points [similarity, score], similarities rising from -1 at least to 1 at most, scores rising within 0-1";
    if (!Array.isArray(value) || value.length < 2) throw this.should(key, shape);
    const points = value as unknown[];
    if (
      !points.every(isPoint) ||
      !points.every((point, at) => at === 0 || risesFrom(points[at - 1] as [number, number], point))
    ) {
      throw this.should(key, shape);
    }
    return points;
  }

  private should(key: string, what: string): Error {
    return this.wrong(`"${this.prefix}${key}" should be ${what}.`);
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPoint(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [similarity, score] = value as unknown[];
  return (
    typeof similarity === "number" && typeof score === "number" && Math.abs(similarity) <= 1 && score >= 0 && score <= 1
  );
}

function risesFrom(before: readonly [number, number], point: readonly [number, number]): boolean {
  return point[0] > before[0] && point[1] > before[1];
}
