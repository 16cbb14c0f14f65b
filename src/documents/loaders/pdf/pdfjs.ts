/** pdf.js without a browser: its parser in this thread, and the data files that it would look for beside itself. */
import jbig2 from "pdfjs-dist/wasm/jbig2.wasm" with { type: "file" };
import openjpeg from "pdfjs-dist/wasm/openjpeg.wasm" with { type: "file" };
import type * as PdfJs from "pdfjs-dist";
import { isCompiled } from "../../../native/index.ts";
import { PARSER_FILE, withAdditions } from "./parser-additions.ts";

export type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";

/** Decoders of pictures in JPEG 2000, and in JBIG2 and CCITT's fax codes. */
const decoders: Readonly<Record<string, string>> = { "jbig2.wasm": jbig2, "openjpeg.wasm": openjpeg };

let loading: Promise<typeof PdfJs> | undefined;

/** The module, loaded with the first PDF. */
export function pdfJs(): Promise<typeof PdfJs> {
  return (loading ??= load());
}

async function load(): Promise<typeof PdfJs> {
  // It makes one when it is loaded, and uses it only to draw.
  if (!("DOMMatrix" in globalThis)) Object.assign(globalThis, { DOMMatrix: class DOMMatrix {} });
  const { warn, log } = console;
  // Outside of browsers it recommends another build, which only looks for a library to draw with.
  console.warn = console.log = () => undefined;
  try {
    // The parser offers itself to the module, which would else look for it as a file.
    if (!isCompiled) await addToParser();
    await import("pdfjs-dist/build/pdf.worker.mjs");
    return (await import("pdfjs-dist/build/pdf.min.mjs")) as typeof PdfJs;
  } finally {
    Object.assign(console, { warn, log });
  }
}

/** From source the parser is read with its additions as it is loaded; inside the executable it has them. */
async function addToParser(): Promise<void> {
  await Bun.plugin({
    name: "additions to pdf.js",
    setup(build) {
      build.onLoad({ filter: new RegExp(`${RegExp.escape(PARSER_FILE)}$`) }, async ({ path }) => ({
        loader: "js",
        contents: withAdditions(await Bun.file(path).text()),
      }));
    },
  });
}

/** Answers pdf.js's requests for data: character maps and decoders. */
export class PdfData {
  /** Throws when there is no such file; pdf.js then goes on without it. */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== "wasmUrl")
      return new (await import("../../character-maps/index.ts")).CharacterMaps().fetch({ filename });
    const path = decoders[filename];
    if (path === undefined) throw new Error(`There is no data file ${filename}`);
    return Bun.file(path).bytes();
  }
}
