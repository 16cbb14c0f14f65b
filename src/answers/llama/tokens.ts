/** Texts → tokens of the model, where nothing that a document or a question says can become a special token; and back. */
import { LlamaText, SpecialTokensText, type LlamaModel, type Token } from "node-llama-cpp";
import type { PromptPiece } from "./chat-template.ts";

/** A character of UTF-8 takes four bytes at most, and so four tokens. */
const TOKENS_OF_A_CHARACTER = 4;
/** Tokens before a piece that its spelling may depend on. */
const CONTEXT_TOKENS = 4;

export class ModelTokens {
  /** Tokens that structure a conversation in this model; none of them may come from a text. */
  private readonly markup: ReadonlySet<Token>;
  readonly before: readonly Token[];
  readonly after: readonly Token[];

  constructor(
    private readonly model: LlamaModel,
    before: readonly PromptPiece[],
    after: readonly PromptPiece[],
  ) {
    const { bos, shouldPrependBosToken } = model.tokens;
    const start = this.ofPieces(before, false);
    this.before = shouldPrependBosToken && bos !== null && start[0] !== bos ? [bos, ...start] : start;
    this.after = this.ofPieces(after, true);
    this.markup = new Set([...this.before, ...this.after].filter((token) => isMarkup(model, token)));
  }

  /** Tokens of a text that follows others. */
  ofText(text: string): Token[] {
    const tokens = this.spell(text);
    const forged = tokens.filter((token) => this.markup.has(token) || this.model.isEogToken(token));
    if (forged.length === 0) return tokens;
    // Some vocabularies count their markup as ordinary words: break its spelling up, and what is still there is left out.
    const spellings = new Set(
      forged.map((token) => this.model.detokenize([token], true)).filter((spelling) => spelling.length > 1),
    );
    let broken = text;
    for (const spelling of spellings) broken = broken.replaceAll(spelling, `${spelling[0]} ${spelling.slice(1)}`);
    return this.spell(broken).filter((token) => !this.markup.has(token) && !this.model.isEogToken(token));
  }

  private spell(text: string): Token[] {
    return this.model.tokenize(text, false, "trimLeadingSpace");
  }

  private ofPieces(all: readonly PromptPiece[], follows: boolean): Token[] {
    const text = LlamaText(all.map(({ kind, value }) => (kind === "markup" ? new SpecialTokensText(value) : value)));
    return text.tokenize(this.model.tokenizer, follows ? "trimLeadingSpace" : undefined);
  }
}

function isMarkup(model: LlamaModel, token: Token): boolean {
  const { control, userDefined } = model.getTokenAttributes(token);
  return control || userDefined || model.isEogToken(token);
}

/** Tokens → text, as they come; a character that is cut in two waits for its other half. */
export class TokenSpeller {
  private readonly waiting: Token[] = [];
  private readonly spelt: Token[] = [];

  constructor(private readonly model: LlamaModel) {}

  /** The text that this token completes, or "". */
  push(token: Token): string {
    this.waiting.push(token);
    const text = this.model.detokenize(this.waiting, false, this.spelt);
    if (text.endsWith("\ufffd") && this.waiting.length < TOKENS_OF_A_CHARACTER) return "";
    return this.settle(text);
  }

  /** What is left when no more tokens come. */
  end(): string {
    return this.waiting.length === 0 ? "" : this.settle(this.model.detokenize(this.waiting, false, this.spelt));
  }

  private settle(text: string): string {
    this.spelt.push(...this.waiting.splice(0));
    this.spelt.splice(0, this.spelt.length - CONTEXT_TOKENS);
    return text;
  }
}
