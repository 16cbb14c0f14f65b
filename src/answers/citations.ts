/**
 * Keeps an answer's citations true while it streams: `[n]` that names no passage is taken out, `[1, 9]` keeps what it may, and
 * other brackets in use for the same (`【1】`, `［1］`) become the usual ones. A citation may arrive in any number of pieces.
 */
import { valueOfDigit } from "../foundation/digits.ts";

/** What a citation may be made of, from its bracket on; longer or other text is no citation. */
const OPEN_CITATION = /^[[【［]\s*(?:\p{Nd}{1,6}(?:\s*[,،、;–-]\s*\p{Nd}{1,6})*\s*[,،、;–-]?\s*)?$/u;
const CITATION = /^[[【［]\s*(\p{Nd}{1,6}(?:\s*[,،、;–-]\s*\p{Nd}{1,6})*)\s*[\]】］]$/u;
const LONGEST = 64;
const OPENING = /[[【［]/;

export class CitationFilter {
  /** The end of what came in, not yet decided upon: spaces, or what may become a citation with the spaces before it. */
  private held = "";

  /** `passages`: how many there are to cite. */
  constructor(private readonly passages: number) {}

  /** Takes the next piece and returns what is settled. */
  push(piece: string): string {
    let settled = "";
    for (const character of piece) settled += this.take(character);
    return settled;
  }

  /** What is left when nothing more comes. */
  end(): string {
    const rest = this.held;
    this.held = "";
    return rest;
  }

  private take(character: string): string {
    const [, space = "", open = ""] = /^([^\S\n]*)(.*)$/s.exec(this.held)!;
    if (open === "") {
      if (OPENING.test(character)) return this.hold(this.held + character);
      if (character !== "\n" && /\s/.test(character)) return this.hold(this.held + character);
      return this.release(character);
    }
    const candidate = open + character;
    const citation = CITATION.exec(candidate);
    if (citation !== null) {
      this.held = "";
      const numbers = numbersIn(citation[1]!, this.passages);
      return numbers.length === 0 ? "" : `${space}${numbers.map((number) => `[${number}]`).join("")}`;
    }
    if (candidate.length <= LONGEST && OPEN_CITATION.test(candidate)) return this.hold(space + candidate);
    // No citation after all; its last character may begin one.
    const settled = space + open;
    this.held = "";
    return settled + this.take(character);
  }

  private hold(text: string): string {
    this.held = text;
    return "";
  }

  private release(character: string): string {
    const settled = this.held + character;
    this.held = "";
    return settled;
  }
}

/** The numbers that name a passage, each once; a span such as `2-4` stands for all in it. */
function numbersIn(list: string, passages: number): number[] {
  const numbers = new Set<number>();
  for (const part of list.split(/\s*[,،、;]\s*/)) {
    const [first, last = first] = part.split(/\s*[–-]\s*/).map(asciiNumber);
    for (let number = Math.max(1, first!); number <= Math.min(last!, passages); number++) numbers.add(number);
  }
  return [...numbers];
}

/** Digits of any script as a number. */
function asciiNumber(digits: string): number {
  return Number(Array.from(digits, (digit) => valueOfDigit(digit.codePointAt(0)!)).join(""));
}
