/**
 * How much a question's terms say, beside others that a dataset holds as rarely. "How" and "the" are rare in a dataset of mostly
 * other languages, and yet say nothing; how often chunks hold a term cannot tell, but what a model learnt of its tokens can.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";
import { isIdentifier } from "./lexical-terms.ts";
import type { ModelManifest } from "./manifest.ts";
import type { ModelTokenizer } from "./tokenizer.ts";

/** An identifier asks for what holds it, in whatever language the rest of the question and the chunk are. */
const IDENTIFIER_IMPORTANCE = 4;
/** Of a question so many different words are weighed, the rest is usual: searches share the thread that does it. */
const MOST_WORDS = 1000;
/** A token weight's byte counts hundredths. */
const BYTE_UNIT = 100;

export class TermImportance {
  private constructor(
    private readonly tokenizer: ModelTokenizer,
    /** By token id; null: all but identifiers are worth the same. */
    private readonly tokenWeights: Uint8Array | null,
  ) {}

  /** Reads the file that the manifest names, if any. Throws OPERATION_FAILED when it cannot be read. */
  static async load(folder: string, manifest: ModelManifest, tokenizer: ModelTokenizer): Promise<TermImportance> {
    const file = manifest.search.tokenWeights;
    if (file === undefined) return new TermImportance(tokenizer, null);
    try {
      return new TermImportance(tokenizer, await readFile(join(folder, file)));
    } catch (cause) {
      throw fail(
        "OPERATION_FAILED",
        { reason: `The model's file ${join(folder, file)} cannot be read.` },
        undefined,
        cause,
      );
    }
  }

  /** One number, 1 being usual, for each of a text's lexical terms, in the order of `lexicalTerms`. */
  async of(tokens: ArrayLike<number>, words: readonly string[]): Promise<number[]> {
    const ofWords = await this.ofWords(words.filter((word) => !isIdentifier(word)));
    return [
      ...Array.from(tokens, (token) => this.ofToken(token)),
      ...words.map((word) => (isIdentifier(word) ? IDENTIFIER_IMPORTANCE : (ofWords.get(word) ?? 1))),
    ];
  }

  /** What a word says that is spelt in these tokens: together as much as vectors at right angles are long. */
  ofSpelt(tokens: ArrayLike<number>): number {
    return Math.sqrt(Array.from(tokens).reduce((sum, token) => sum + this.ofToken(token) ** 2, 0)) || 1;
  }

  private async ofWords(words: readonly string[]): Promise<Map<string, number>> {
    const distinct = this.tokenWeights === null ? [] : [...new Set(words)].slice(0, MOST_WORDS);
    const spelt = await this.tokenizer.ownIds(distinct);
    return new Map(distinct.map((word, at) => [word, this.ofSpelt(spelt[at]!)]));
  }

  ofToken(token: number): number {
    const weight = this.tokenWeights?.[token];
    return weight === undefined ? 1 : weight / BYTE_UNIT;
  }
}
