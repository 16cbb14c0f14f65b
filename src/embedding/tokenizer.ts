/** Text → token ids and token positions, by a model folder's `tokenizer.json` (Hugging Face's format and library). */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tokenizer as NativeTokenizer } from "tokenizers";
import { fail } from "../foundation/errors.ts";
import { loadAddon } from "../native/index.ts";
import { QuickTokenizer } from "./quick-tokenizer.ts";

/**
 * No token of a usable model stands for more text than this on average, so a text is cut here before it is tokenised:
 * a megabyte sent as a question costs no more than the model would read of it.
 */
const UTF16_UNITS_PER_TOKEN = 16;

/** A loaded tokenizer. The library's work runs on the runtime's thread pool, one text per thread. */
export class ModelTokenizer {
  /** undefined: not looked for yet; null: the tokenizer is of another kind. */
  private quick: QuickTokenizer | null | undefined;

  private constructor(
    private readonly native: NativeTokenizer,
    private readonly path: string,
    private readonly maxTokens: number | null,
  ) {}

  /**
   * Loads `tokenizer.json` of a model folder. Texts are cut at `maxTokens`, special tokens included and kept; null: never.
   * What the file itself says of cutting and padding is for other programs and is left aside.
   * Throws OPERATION_FAILED when the library cannot read it.
   */
  static load(folder: string, maxTokens: number | null): ModelTokenizer {
    const { Tokenizer } = loadAddon("tokenizers") as typeof import("tokenizers");
    const path = join(folder, "tokenizer.json");
    try {
      const native = Tokenizer.fromFile(path);
      native.disablePadding();
      if (maxTokens === null) native.disableTruncation();
      else native.setTruncation(maxTokens);
      return new ModelTokenizer(native, path, maxTokens);
    } catch (cause) {
      throw fail(
        "OPERATION_FAILED",
        { reason: `${path} is not a tokenizer that can be read: ${(cause as Error).message}` },
        undefined,
        cause,
      );
    }
  }

  /** Gets ready for many texts, which may take a tenth of a second once; where the tokenizer's kind allows, all calls are quicker from then on. */
  quicken(): void {
    if (this.quick === undefined) this.quick = QuickTokenizer.of(readFileSync(this.path, "utf8"));
  }

  /** The ids that the model reads of each text. */
  async ids(texts: readonly string[]): Promise<number[][]> {
    return this.idsOf(texts, true);
  }

  /** The ids of each text's own tokens, without what the model adds to it. */
  async ownIds(texts: readonly string[]): Promise<number[][]> {
    return this.idsOf(texts, false);
  }

  /**
   * UTF-16 offsets [start, end) of each token, ascending. Tokens that are bytes of one character share its range, and
   * text that the model's normaliser drops belongs to no token.
   */
  async offsets(text: string): Promise<Array<[number, number]>> {
    const placed = this.quick?.offsets(text);
    if (placed) return placed;
    const encoding = await this.native.encode(text, null, { addSpecialTokens: false });
    return toUtf16Offsets(text, encoding.getOffsets() as Array<[number, number]>);
  }

  /** How many of its own markers the model adds to each text. */
  async specialTokenCount(): Promise<number> {
    return (await this.native.encode("")).getLength();
  }

  /** How many tokens a text has, special tokens left out. */
  async count(text: string): Promise<number> {
    return (await this.native.encode(text, null, { addSpecialTokens: false })).getLength();
  }

  /** A quick tokenizer's model adds nothing to a text. */
  private async idsOf(texts: readonly string[], addSpecialTokens: boolean): Promise<number[][]> {
    return Promise.all(
      texts.map(async (text) => {
        const readable = this.readable(text);
        const ids = this.quick?.ids(readable);
        if (ids) return ids.slice(0, this.maxTokens ?? ids.length);
        return (await this.native.encode(readable, null, { addSpecialTokens })).getIds();
      }),
    );
  }

  /** The part of a text that the model may read: what is beyond is not even tokenised. */
  readable(text: string): string {
    return this.maxTokens === null ? text : text.slice(0, this.maxTokens * UTF16_UNITS_PER_TOKEN);
  }
}

/**
 * Converts offsets that count Unicode code points (what the library counts in) to offsets that count UTF-16 units (what
 * JavaScript strings count in). Starts and ends are made ascending where a model's normaliser reorders characters.
 */
export function toUtf16Offsets(
  text: string,
  offsets: ReadonlyArray<readonly [number, number]>,
): Array<[number, number]> {
  const unitOf = codePointIndex(text);
  let lastStart = 0;
  let lastEnd = 0;
  return offsets.map(([start, end]) => {
    lastStart = Math.max(lastStart, unitOf(start));
    lastEnd = Math.max(lastEnd, unitOf(end), lastStart);
    return [lastStart, lastEnd];
  });
}

/** For a text without astral characters both countings agree, and no table is needed. */
function codePointIndex(text: string): (codePoint: number) => number {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return (codePoint) => codePoint;
  const units = new Uint32Array(text.length + 1);
  let codePoints = 0;
  for (let unit = 0; unit < text.length; unit += 1) {
    units[codePoints++] = unit;
    if ((text.codePointAt(unit) as number) > 0xffff) unit += 1;
  }
  units[codePoints] = text.length;
  return (codePoint) => units[Math.min(codePoint, codePoints)] as number;
}
