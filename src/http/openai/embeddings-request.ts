/** Reads requests for embeddings. Pure. */
import type { TextKind } from "../../embedding/index.ts";
import { fieldLimits } from "../../foundation/field-limits.ts";
import { refuse } from "./errors.ts";
import { isGiven, readModel } from "./fields.ts";

const FORMATS = ["float", "base64"] as const;
/** As other servers of this interface call it, for models that read a question otherwise than what may answer it. */
const KINDS: readonly TextKind[] = ["query", "passage"];

export const EMBEDDING_FIELDS = ["input", "model", "encoding_format", "dimensions", "input_type"] as const;

export interface EmbeddingsRequest {
  readonly model: string;
  readonly texts: readonly string[];
  readonly format: (typeof FORMATS)[number];
  /** null: as many as the model has. */
  readonly dimensions: number | null;
  readonly kind: TextKind;
}

/** Throws INVALID_REQUEST, which names the field. */
export function readEmbeddingsRequest(body: Readonly<Record<string, unknown>>): EmbeddingsRequest {
  const { dimensions } = body;
  if (isGiven(dimensions) && !Number.isInteger(dimensions))
    throw refuse("dimensions", "dimensions is not a whole number.");
  return {
    model: readModel(body),
    texts: readInput(body.input),
    format: readWord("encoding_format", body.encoding_format, FORMATS, "float"),
    dimensions: isGiven(dimensions) ? (dimensions as number) : null,
    kind: readWord("input_type", body.input_type, KINDS, "passage"),
  };
}

function readInput(input: unknown): readonly string[] {
  const texts = typeof input === "string" ? [input] : input;
  if (!Array.isArray(texts)) throw refuse("input", "input must be a string or an array of strings.");
  const { minItems, maxItems } = fieldLimits.embeddingInputs;
  if (texts.length > 0 && texts.every((one) => typeof one === "number" || Array.isArray(one)))
    throw refuse("input", "input holds token ids, which are another model's; send the texts themselves.");
  if (texts.length < minItems || texts.length > maxItems)
    throw refuse("input", `input must hold ${minItems} to ${maxItems} texts, and holds ${texts.length}.`);
  const { minLength, maxLength } = fieldLimits.embeddingInput;
  for (const [at, text] of texts.entries()) {
    if (typeof text !== "string") throw refuse("input", `input[${at}] is not a string.`);
    if (text.length < minLength || text.length > maxLength)
      throw refuse(
        "input",
        `input[${at}] must be of ${minLength} to ${maxLength} characters, and is of ${text.length}.`,
      );
  }
  return texts as string[];
}

function readWord<Word extends string>(name: string, value: unknown, words: readonly Word[], otherwise: Word): Word {
  if (!isGiven(value)) return otherwise;
  const word = words.find((known) => known === value);
  if (word === undefined) throw refuse(name, `${name} must be ${words.join(" or ")}.`);
  return word;
}
