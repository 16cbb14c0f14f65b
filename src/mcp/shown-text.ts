/** Passages and files as an assistant reads them: text that says where each stands, and by which numbers more of it can be asked for. Pure. */
import { placeInWords, placeOf } from "../foundation/place.ts";
import type { ShownDocument, ShownPassage } from "./documents.ts";

export function passagesText(passages: readonly ShownPassage[]): string {
  return passages.map((passage, at) => `[${at + 1}] ${headOf(passage)}\n${passage.pageContent}`).join("\n\n");
}

function headOf({ score, metadata }: ShownPassage): string {
  const place = placeInWords(String(metadata.originalName), placeOf(metadata));
  const sureness = score === undefined ? "" : `, score ${score.toFixed(2)}`;
  return `${place} (file ${String(metadata.fileId)}, passage ${Number(metadata.chunkIndex)}${sureness})`;
}

export function filesText(files: readonly ShownDocument[]): string {
  return files
    .map(({ fileId, originalName, size, created }) => `${fileId}  ${originalName}  ${size ?? "?"} bytes  ${created}`)
    .join("\n");
}
