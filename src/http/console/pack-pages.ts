/** Makes the console's pages of src/console: bundled for browsers, compressed, and kept in build/console until a source changes. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { fail } from "../../foundation/errors.ts";
import { projectRoot } from "../../native/assets.ts";
import { PAGES_ASSET, type KeptFile, type KeptPages } from "./kept-pages.ts";

const SOURCES = join(projectRoot, "src/console");
/** Placeholders of index.html, and what is bundled for each. */
const ENTRY_POINTS = {
  "{{theme}}": "start/theme.ts",
  "{{styles}}": "styles.css",
  "{{script}}": "start/main.tsx",
  "{{icon}}": "icon.svg",
} as const;
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Those that lie in build/console, where they were made of the same sources; else new ones. Throws OPERATION_FAILED. */
export async function packPages(): Promise<KeptPages> {
  const sources = hashOfSources();
  const kept = readKept();
  if (kept?.sources === sources) return kept;
  const pages = await bundle(sources);
  const path = join(projectRoot, PAGES_ASSET);
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, JSON.stringify(pages));
  renameSync(part, path);
  return pages;
}

function readKept(): KeptPages | null {
  try {
    return JSON.parse(readFileSync(join(projectRoot, PAGES_ASSET), "utf8")) as KeptPages;
  } catch {
    // Not made yet, or not to the end: it is made anew.
    return null;
  }
}

/** Of the pages, of what is outside them and bundled with them, and of how that is done. */
function hashOfSources(): string {
  const hash = new Bun.CryptoHasher("sha256");
  const inside = [...new Bun.Glob("**/*").scanSync(SOURCES)].sort().map((name) => join("src/console", name));
  for (const path of [...inside, "src/foundation/place.ts", "src/http/console/pack-pages.ts", "bun.lock"])
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(projectRoot, path)))
      .update("\0");
  return hash.digest("hex");
}

async function bundle(sources: string): Promise<KeptPages> {
  const assets: Record<string, KeptFile> = {};
  let page = readFileSync(join(SOURCES, "index.html"), "utf8").replaceAll(/\n\s*/g, "");
  for (const [placeholder, source] of Object.entries(ENTRY_POINTS)) {
    const { name, bytes } = await make(source);
    assets[name] = packFile(bytes, TYPES[extname(name)]!);
    page = page.replaceAll(placeholder, `/console/assets/${name}`);
  }
  return { sources, page: packFile(Buffer.from(page), "text/html; charset=utf-8"), assets };
}

/** One file for the browser, named by its content. */
async function make(source: string): Promise<{ name: string; bytes: Uint8Array }> {
  const path = join(SOURCES, source);
  const bytes = extname(source) === ".svg" ? new Uint8Array(readFileSync(path)) : await bundleOne(path);
  const extension = extname(source).replace(/^\.tsx?$/, ".js");
  return { name: `${basename(source, extname(source))}-${sha256(bytes).slice(0, 12)}${extension}`, bytes };
}

async function bundleOne(path: string): Promise<Uint8Array> {
  const result = await Bun.build({
    entrypoints: [path],
    target: "browser",
    format: path.endsWith("theme.ts") ? "iife" : "esm",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
  });
  const [output] = result.outputs;
  if (!result.success || output === undefined)
    throw fail("OPERATION_FAILED", {
      reason: `The console's pages cannot be made: ${result.logs.map(String).join("\n")}`,
    });
  return new Uint8Array(await output.arrayBuffer());
}

function packFile(bytes: Uint8Array, type: string): KeptFile {
  return {
    type,
    tag: `"${sha256(bytes).slice(0, 32)}"`,
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).toString("base64"),
    gzip: gzipSync(bytes, { level: 9 }).toString("base64"),
  };
}

function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
