/** Which characters an RTF document's bytes are: that depends on the font they are set in (RTF 1.9.1, Font Table). */
import type iconv from "iconv-lite";

const ANSI = "cp1252";
const SYMBOL = "symbol";
const CHARSETS: Readonly<Record<number, string>> = {
  0: ANSI,
  2: SYMBOL,
  77: "macroman",
  78: "cp932",
  128: "cp932",
  129: "cp949",
  134: "gbk",
  136: "cp950",
  161: "cp1253",
  162: "cp1254",
  163: "cp1258",
  177: "cp1255",
  178: "cp1256",
  186: "cp1257",
  204: "cp1251",
  222: "cp874",
  238: "cp1250",
  254: "cp437",
  255: "cp850",
};
const CODE_PAGES: Readonly<Record<number, string>> = { 708: "iso-8859-6", 10000: "macroman", 65001: "utf-8" };
/** Signs of the fonts that hold no letters, as far as lists are marked with them. */
const SYMBOLS: Readonly<Record<string, string>> = {
  "\u00b7": "•",
  "\u00a7": "▪",
  "\u00d8": "➢",
  "\u00fc": "✓",
  "\u00a8": "□",
};

export class RtfFonts {
  /** Of what is set in no font. */
  documentEncoding = ANSI;
  private defaultFont = 0;
  private readonly encodings = new Map<number, string>();

  constructor(private readonly decoder: Pick<typeof iconv, "decode" | "encodingExists">) {}

  /** Takes note of a control word that says how bytes are encoded. `font` is the one of the font table that is being described. */
  declare(word: string, value: number | null, font: number | null): void {
    if (word === "ansicpg") this.documentEncoding = this.codePage(value ?? 0);
    else if (word === "mac") this.documentEncoding = "macroman";
    else if (word === "pc") this.documentEncoding = "cp437";
    else if (word === "pca") this.documentEncoding = "cp850";
    else if (word === "deff") this.defaultFont = value ?? 0;
    else if (font === null) return;
    else if (word === "fcharset") {
      const encoding = CHARSETS[value ?? 0];
      if (encoding !== undefined) this.encodings.set(font, encoding);
    } else if (word === "cpg" && value !== null) this.encodings.set(font, this.codePage(value));
  }

  /** The encoding of what is set in a font; null is the document's own font. */
  encodingOf(font: number | null): string {
    return this.encodings.get(font ?? this.defaultFont) ?? this.documentEncoding;
  }

  decode(bytes: string, encoding: string): string {
    if (encoding === SYMBOL) return bytes.replace(/[\x80-\xff]/g, (sign) => SYMBOLS[sign] ?? "");
    return this.decoder.decode(Buffer.from(bytes, "latin1"), encoding);
  }

  private codePage(number: number): string {
    const encoding = CODE_PAGES[number] ?? `cp${number}`;
    return this.decoder.encodingExists(encoding) ? encoding : ANSI;
  }
}
