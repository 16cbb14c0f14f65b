/**
 * Packs Adobe's character maps, as pdf.js distributes them, into the one file that the PDF loader reads:
 *
 *     bun add --no-save pdfjs-dist && bun scripts/pack-character-maps.ts node_modules/pdfjs-dist/cmaps
 *
 * To be run again only when the maps change, which they have not for years.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";

const source = process.argv[2];
if (source === undefined) throw new Error("Name the folder that holds the .bcmap files.");
const target = join(import.meta.dir, "../src/documents/character-maps/maps.zip");
const names = readdirSync(source)
  .filter((name) => name.endsWith(".bcmap") || name === "LICENSE")
  .toSorted();
const files = Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(source, name)))]));
// A fixed date, so that the same maps make the same file.
writeFileSync(target, zipSync(files, { level: 9, mtime: "1980-01-01T00:00:00" }));
console.log(`${names.length} files → ${target}`);
