/**
 * The character maps that older Chinese, Japanese and Korean PDFs refer to by name instead of bringing their own.
 * Made by Adobe (BSD licence, inside the file), packed by scripts/pack-character-maps.ts.
 */
import { unzipSync } from "fflate";
import mapsPath from "./maps.zip" with { type: "file" };

let packed: Uint8Array | undefined;

/** Answers pdf.js's requests for the data files it would otherwise look for beside itself. Only the maps are there. */
export class CharacterMaps {
  /** Throws when there is no such map; pdf.js then goes on without it. */
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    packed ??= await Bun.file(mapsPath).bytes();
    const map = unzipSync(packed, { filter: ({ name }) => name === filename })[filename];
    if (map === undefined) throw new Error(`There is no data file ${filename}`);
    return map;
  }
}
