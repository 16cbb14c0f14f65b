/** What an RTF document says of itself (RTF 1.9.1, Information Group). */
import type { DocumentProperties } from "../../../foundation/place.ts";

type TextName = "title" | "author" | "subject";

const TEXTS: ReadonlySet<string> = new Set<TextName>(["title", "author", "subject"]);
/** When it was changed, or else made. */
const TIMES = ["revtim", "creatim"];
const PARTS = ["yr", "mo", "dy", "hr", "min"] as const;

export class RtfProperties {
  private readonly texts: Partial<Record<TextName, string>> = {};
  private readonly times = new Map<string, Map<string, number>>();
  private name = "";

  /** Whether the word names a property, which only those of the information group do. */
  begin(word: string, isHeld: boolean): boolean {
    if (!isHeld || (!isTextName(word) && !TIMES.includes(word))) return false;
    this.name = word;
    if (TIMES.includes(word)) this.times.set(word, new Map());
    return true;
  }

  add(text: string): void {
    const { name } = this;
    if (isTextName(name)) this.texts[name] = (this.texts[name] ?? "") + text;
  }

  number(word: string, value: number): void {
    this.times.get(this.name)?.set(word, value);
  }

  end(): void {
    this.name = "";
  }

  get values(): DocumentProperties {
    const date = TIMES.map((name) => isoTime(this.times.get(name))).find((time) => time !== undefined);
    return { ...this.texts, date };
  }
}

function isTextName(word: string): word is TextName {
  return TEXTS.has(word);
}

/** Zeros are what programs write that do not know. */
function isoTime(time: ReadonlyMap<string, number> | undefined): string | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = PARTS.map((part) => time?.get(part));
  if (year < 1900 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${year}-${two(month)}-${two(day)}`;
  return hour > 23 || minute > 59 || hour < 0 || minute < 0 ? date : `${date}T${two(hour)}:${two(minute)}`;
}
