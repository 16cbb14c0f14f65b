/** Embeddings: texts → vectors of an embedding model that is open, for 0.1 credit per 16 texts begun. */
import type { TextKind } from "../embedding/index.ts";
import { fail, type LecternError } from "../foundation/errors.ts";
import { tokensOf } from "../foundation/term-ids.ts";
import type { Engines } from "./engines.ts";
import type { ModelEngines } from "./models-in-use.ts";
import { paidFor } from "./payment.ts";
import { PRICE_OF_EMBEDDINGS, TEXTS_PER_PRICE } from "./prices.ts";

export interface Embeddings {
  /** Of unit length, one for each text, in their order. */
  readonly vectors: readonly Float32Array[];
  /** Tokens that all texts have, as the built-in model's tokenizer counts them. */
  readonly tokens: number;
}

/** `name`: as the request has it. */
export const unknownModel = (name: string): LecternError =>
  fail("MODEL_NOT_FOUND", { model: JSON.stringify(name.slice(0, 200)) }, { param: "model" });

/** The open model that is called so, by its name or its whole id. Throws MODEL_NOT_FOUND. */
export function findEmbeddingModel({ models }: Pick<Engines, "models">, name: string): ModelEngines["embedder"] {
  const named = [models.chosen, ...models.all].find(
    ({ embedder }) => embedder.manifest.name === name || embedder.modelId === name,
  );
  if (named === undefined) throw unknownModel(name);
  return named.embedder;
}

/**
 * What of a text is beyond the model's reach does not count. Throws INSUFFICIENT_CREDITS, MODEL_MISSING; BUSY or a failure of ours gives
 * the charge back.
 */
export function embedTexts(
  { access, models }: Pick<Engines, "access" | "models">,
  {
    customerId,
    modelId,
    texts,
    kind,
  }: {
    readonly customerId: string;
    readonly modelId: string;
    readonly texts: readonly string[];
    readonly kind: TextKind;
  },
): Promise<Embeddings> {
  const thousandths = PRICE_OF_EMBEDDINGS * Math.ceil(texts.length / TEXTS_PER_PRICE);
  return paidFor(access, { customerId, thousandths, operation: "embeddings" }, () =>
    models.during(modelId, async ({ embedder }) => {
      // One text is somebody's question; many are a stock that is taken in.
      const priority = texts.length === 1 ? "search" : "upload";
      const { vectors, terms } = await embedder.embedWithTerms(
        texts.map((text) => text.toWellFormed()),
        kind,
        priority,
      );
      const tokens = terms.reduce((sum, list) => sum + tokensOf(list).length, 0);
      return { vectors, tokens };
    }),
  );
}
