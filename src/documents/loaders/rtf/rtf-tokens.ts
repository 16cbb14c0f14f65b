/** RTF as a sequence of what it is written with (RTF 1.9.1): groups, control words, bytes. */

export type RtfToken =
  | { readonly type: "open" }
  | { readonly type: "close" }
  | { readonly type: "control"; readonly word: string; readonly value: number | null }
  /** Characters of the current code page; one unit is one byte. */
  | { readonly type: "bytes"; readonly bytes: string };

const CONTROL = /\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([0-9a-fA-F]{2})|([^a-zA-Z]))/y;
const TEXT = /[^\\{}\r\n]+/y;
const LINE_BREAKS = /[\r\n]+/y;
const OPEN: RtfToken = { type: "open" };
const CLOSE: RtfToken = { type: "close" };

/** The tokens of a file whose bytes are the text's units. Data in binary is passed over. What is no token is left out. */
export function* rtfTokens(text: string): Generator<RtfToken> {
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  let at = 0;
  while (at < text.length) {
    const unit = text[at];
    if (unit === "{" || unit === "}") {
      at += 1;
      yield unit === "{" ? OPEN : CLOSE;
    } else if (unit === "\\") {
      const [all = unit, word, value, hex, symbol] = match(CONTROL) ?? [];
      at += all.length;
      if (hex !== undefined) yield { type: "bytes", bytes: String.fromCharCode(Number.parseInt(hex, 16)) };
      else if (symbol !== undefined && "\\{}".includes(symbol)) yield { type: "bytes", bytes: symbol };
      else if (word === "bin") at += Math.max(0, Number(value ?? 0));
      else yield { type: "control", word: word ?? symbol ?? "", value: value === undefined ? null : Number(value) };
    } else {
      const run = match(TEXT)?.[0];
      at += (run ?? match(LINE_BREAKS)?.[0] ?? unit ?? "").length;
      if (run !== undefined) yield { type: "bytes", bytes: run };
    }
  }
}
