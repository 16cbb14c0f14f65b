/**
 * Reads texts' lexical terms, by the built-in model's tokenizer and token weights whatever model embeds: the ranking reads a
 * passage's tokens by the built-in table, and a dataset keeps its terms' meaning when another model takes it over.
 */
import { lexicalTerms, wordsOf } from "./lexical-terms.ts";
import { modelFolder, readManifest } from "./model-folder.ts";
import { TermImportance } from "./term-importance.ts";
import { ModelTokenizer } from "./tokenizer.ts";

/** A text's tokens in their order, and its words. */
export interface ReadText {
  readonly tokens: readonly number[];
  readonly words: readonly string[];
}

export class LexicalReader {
  private constructor(
    private readonly tokenizer: ModelTokenizer,
    private readonly importance: TermImportance,
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
    return new LexicalReader(tokenizer, importance, readsAsModel);
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

  /** How much each of a text's terms says, in the order of `terms`. */
  importanceOf({ tokens, words }: ReadText): Promise<number[]> {
    return this.importance.of(tokens, words);
  }
}
