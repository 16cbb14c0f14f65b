/**
 * Reads texts' lexical terms, by the built-in model's tokenizer and token weights whatever model embeds: the ranking reads a
 * passage's tokens by the built-in table, and a dataset keeps its terms' meaning when another model takes it over.
 */
import { glossOf } from "./gloss.ts";
import { highlightsIn, piecesOf, type Span } from "./highlights.ts";
import { lexicalTerms, wordsOf } from "./lexical-terms.ts";
import { openLexicon, type Lexicon } from "./lexicon.ts";
import { modelFolder, readManifest } from "./model-folder.ts";
import { TermImportance } from "./term-importance.ts";
import { ModelTokenizer } from "./tokenizer.ts";
import type { WeighedTerms } from "./types.ts";

/** What a question's word says at least, 1 being usual, to be shown beside others. */
const LEAST_SHOWN = 0.4;
/** Of a question so many different words are shown. */
const MOST_SOUGHT = 256;

/** A text's tokens in their order, and its words. */
export interface ReadText {
  readonly tokens: readonly number[];
  readonly words: readonly string[];
}

export class LexicalReader {
  private constructor(
    private readonly tokenizer: ModelTokenizer,
    private readonly importance: TermImportance,
    private readonly lexicon: Lexicon | null,
    /** Whether the built-in model itself reads just a text's own tokens, as it is. */
    readonly readsAsModel: boolean,
  ) {}

  /** `loaded`: the built-in model's tokenizer, where it is there already. Throws OPERATION_FAILED. */
  static async load(loaded: ModelTokenizer | null): Promise<LexicalReader> {
    const manifest = await readManifest(null);
    const folder = modelFolder(null);
    const tokenizer = loaded ?? ModelTokenizer.load(folder, manifest.maxTokens);
    const importance = await TermImportance.load(folder, manifest, tokenizer);
    const readsAsModel =
      manifest.queryPrefix === "" && manifest.passagePrefix === "" && (await tokenizer.specialTokenCount()) === 0;
    return new LexicalReader(tokenizer, importance, await openLexicon(), readsAsModel);
  }

  /** See `ModelTokenizer.quicken`. */
  quicken(): void {
    this.tokenizer.quicken();
  }

  /** `tokens`: of each text, where the built-in model has read them. */
  async read(texts: readonly string[], tokens?: readonly (readonly number[])[]): Promise<ReadText[]> {
    const ids = tokens ?? (await this.tokenizer.ownIds(texts));
    return texts.map((text, index) => ({ tokens: ids[index]!, words: wordsOf(this.tokenizer.readable(text)) }));
  }

  /** As `EmbeddedTexts` has them. */
  terms({ tokens, words }: ReadText): number[] {
    return lexicalTerms(tokens, words);
  }

  /**
   * Where a question's words stand in each of the texts (see highlights.ts). Words that say little, such as articles, are left out where
   * others say more.
   */
  async highlights(question: string, texts: readonly string[]): Promise<Span[][]> {
    const asked = this.tokenizer.readable(question);
    const pieces = piecesOf(asked, await this.tokenizer.offsets(asked));
    const distinct = [...new Map(pieces.map((piece) => [piece.folded, piece])).values()].slice(0, MOST_SOUGHT);
    const says = await this.importance.of(
      [],
      distinct.map(({ folded }) => folded),
    );
    const telling = distinct.filter((_, at) => says[at]! >= LEAST_SHOWN);
    const sought = telling.length > 0 ? telling : distinct;
    const found: Span[][] = [];
    for (const text of texts) found.push(highlightsIn(text, await this.tokenizer.offsets(text), sought));
    return found;
  }

  /** A question's gloss (gloss.ts) as terms; null where none of its words is known. */
  gloss(question: string): WeighedTerms | null {
    const { lexicon, importance } = this;
    const words = lexicon === null ? [] : glossOf(lexicon, this.tokenizer.readable(question));
    if (lexicon === null || words.length === 0) return null;
    const spelt = words.map((word) => lexicon.tokensOf(word));
    const tokens = spelt.flatMap((own) => [...own]);
    return {
      terms: Uint32Array.from(
        lexicalTerms(
          tokens,
          words.map((word) => lexicon.textOf(word)),
        ),
      ),
      importance: Float32Array.from([
        ...tokens.map((token) => importance.ofToken(token)),
        ...spelt.map((own) => importance.ofSpelt(own)),
      ]),
    };
  }

  /** How much each of a text's terms says, in the order of `terms`. */
  importanceOf({ tokens, words }: ReadText): Promise<number[]> {
    return this.importance.of(tokens, words);
  }
}
