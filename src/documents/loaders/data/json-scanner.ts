/**
 * JSON (RFC 8259) read as events, in the order of the text. A single value is accepted exactly
 * when JSON.parse accepts it, up to a depth; no objects are built, so that keys like "__proto__" are ordinary, numbers keep their digits, and equal or numeric keys keep their place.
 */

export interface JsonEvents {
  beginObject(): void;
  key(name: string): void;
  endObject(): void;
  beginArray(): void;
  endArray(): void;
  string(value: string): void;
  /** A number as it is written, "true", "false" or "null". */
  literal(written: string): void;
}

export class JsonSyntaxError extends Error {}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN_STRING = /[^"\\\u0000-\u001f]*/y;

const nothing = () => undefined;
const SILENT: JsonEvents = {
  beginObject: nothing,
  key: nothing,
  endObject: nothing,
  beginArray: nothing,
  endArray: nothing,
  string: nothing,
  literal: nothing,
};

/** How many values stand in the text one after another, at most `most` being read; 0 when one of them is not valid. */
export function countJson(text: string, maxNesting: number, most: number): number {
  try {
    return new Scanner(text, SILENT, maxNesting).values(most);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return 0;
    throw error;
  }
}

/**
 * Reports the values that stand in the text one after another: one for JSON, many for JSON Lines. Throws JsonSyntaxError
 * with the place, also when values are nested deeper than `maxNesting`.
 */
export function scanJson(text: string, events: JsonEvents, maxNesting: number): void {
  new Scanner(text, events, maxNesting).values(Infinity);
}

class Scanner {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly events: JsonEvents,
    private readonly maxNesting: number,
  ) {}

  values(most: number): number {
    let count = 0;
    do {
      this.value(0);
      this.blanks();
      count += 1;
    } while (count < most && this.at < this.text.length);
    return count;
  }

  private value(depth: number): void {
    this.blanks();
    if (depth > this.maxNesting) this.refuse(`values are nested more than ${this.maxNesting} deep`);
    const character = this.text[this.at];
    if (character === "{") this.object(depth);
    else if (character === "[") this.array(depth);
    else if (character === '"') this.events.string(this.string());
    else this.literal();
  }

  private object(depth: number): void {
    this.events.beginObject();
    this.at += 1;
    this.blanks();
    if (!this.take("}")) {
      do {
        this.blanks();
        if (this.text[this.at] !== '"') this.refuse("a key is missing");
        this.events.key(this.string());
        this.blanks();
        if (!this.take(":")) this.refuse('":" is missing');
        this.value(depth + 1);
        this.blanks();
      } while (this.take(","));
      if (!this.take("}")) this.refuse('"}" is missing');
    }
    this.events.endObject();
  }

  private array(depth: number): void {
    this.events.beginArray();
    this.at += 1;
    this.blanks();
    if (!this.take("]")) {
      do {
        this.value(depth + 1);
        this.blanks();
      } while (this.take(","));
      if (!this.take("]")) this.refuse('"]" is missing');
    }
    this.events.endArray();
  }

  private string(): string {
    const start = this.at;
    let escaped = false;
    this.at += 1;
    for (;;) {
      PLAIN_STRING.lastIndex = this.at;
      PLAIN_STRING.test(this.text);
      this.at = PLAIN_STRING.lastIndex;
      const character = this.text[this.at];
      if (character === '"') break;
      if (character !== "\\") this.refuse("a string is not closed");
      escaped = true;
      this.at += 2;
    }
    this.at += 1;
    if (!escaped) return this.text.slice(start + 1, this.at - 1);
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      return this.refuse("a string has an unknown escape");
    }
  }

  private literal(): void {
    for (const word of ["true", "false", "null"]) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return this.events.literal(word);
    }
    NUMBER.lastIndex = this.at;
    const number = NUMBER.exec(this.text)?.[0];
    if (number === undefined) this.refuse("a value is missing");
    this.at += number.length;
    this.events.literal(number);
  }

  private blanks(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at += 1;
    }
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private refuse(what: string): never {
    throw new JsonSyntaxError(`${what} at position ${Math.min(this.at, this.text.length)}`);
  }
}
