/**
 * Brings a model folder's manifest.json up to date after export.py: version, the files' hashes, and the languages that reach
 * one half on ntrex_dev. Everything else in it stays.
 *
 *     bun manifest.ts MODEL_FOLDER SCORES.json VERSION
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LEAST_SCORE = 0.5;
const LINE_WIDTH = 110;

const [folder, scoresFile, version] = process.argv.slice(2) as [string, string, string];
const path = join(folder, "manifest.json");
const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown> & { files: Record<string, string> };
const { ntrex } = JSON.parse(readFileSync(scoresFile, "utf8")) as { ntrex: Record<string, number> };

const sha256 = (file: string) => new Bun.CryptoHasher("sha256").update(readFileSync(join(folder, file))).digest("hex");
manifest.version = version;
manifest.files = Object.fromEntries(Object.keys(manifest.files).map((file) => [file, sha256(file)]));
manifest.languages = Object.keys(ntrex).filter((language) => (ntrex[language] as number) >= LEAST_SCORE).sort();

/** Numbers that belong together on one line each, languages in lines of equal width. */
function layOut(json: string): string {
  return json.replace(/\[[^[\]{}]*\]/g, (list) => {
    const items = list.slice(1, -1).split(",").map((item) => item.trim());
    const line = `[${items.join(", ")}]`;
    if (line.length <= LINE_WIDTH / 2) return line;
    const lines = [""];
    for (const [at, item] of items.entries()) {
      const text = item + (at < items.length - 1 ? "," : "");
      if ((lines.at(-1) as string).length + text.length > LINE_WIDTH) lines.push("");
      lines[lines.length - 1] = `${lines.at(-1)} ${text}`.trimStart();
    }
    return `[\n    ${lines.join("\n    ")}\n  ]`;
  });
}

writeFileSync(path, layOut(JSON.stringify(manifest, null, 2)) + "\n");
