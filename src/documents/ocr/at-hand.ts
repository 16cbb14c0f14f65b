/** The languages that can be read here: those inside the program, those that were added, and those of a program of the machine's. Pure. */
import { ocrLanguages } from "./languages.ts";

/** A program that has more was given all there are, and not those that are needed. */
const MOST_CHOSEN = 16;

/** By Tesseract's names of them, in the order in which they are chosen. */
export interface AtHand {
  /** Those that may be named. */
  readonly all: ReadonlySet<string>;
  /** Those that are read where their writing is detected. */
  readonly ofWritings: ReadonlySet<string>;
  /** Those that are tried where none is. */
  readonly tried: ReadonlySet<string>;
}

/** `own`: what has data here; `program`: what a program lists. */
export function languagesOfBoth(own: Iterable<string>, program: readonly string[]): AtHand {
  const ours = new Set(own);
  const all = new Set([...ours, ...program]);
  if (program.length <= MOST_CHOSEN) return { all, ofWritings: all, tried: all };
  const scriptOf = new Map(ocrLanguages.map(({ code, script }) => [code, script]));
  const covered = new Set([...ours].map((code) => scriptOf.get(code)));
  // Of each writing the most spoken comes first.
  const first = Map.groupBy(
    ocrLanguages.filter(({ code, script }) => program.includes(code) && !covered.has(script)),
    ({ script }) => script,
  );
  const most = [...first.values()].flatMap(([language]) => (language === undefined ? [] : [language.code]));
  return { all, ofWritings: new Set([...ours, ...most]), tried: ours };
}
