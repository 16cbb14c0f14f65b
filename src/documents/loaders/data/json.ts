/** JSON and JSON Lines, written out as "path: value" lines in the order of the file, one block for each record. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { countJson, JsonSyntaxError, scanJson } from "./json-scanner.ts";
import { namedFormat } from "../loader.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import { RecordWriter } from "./record-writer.ts";

const json: Format = { mimeType: "application/json", extensions: ["json", "geojson", "webmanifest"] };
const lines: Format = { mimeType: "application/x-ndjson", extensions: ["jsonl", "ndjson"] };
/** Values that must be valid before a file called so is taken for JSON Lines. */
const SAMPLE_VALUES = 20;

export const jsonLoader: Loader = { id: "json", formats: [json, lines], recognise, load };

function recognise(content: Content): Recognition | null {
  const text = content.decoded?.text;
  if (text === undefined || !/^\s*[[{]/.test(text)) return null;
  const named = namedFormat(jsonLoader, content);
  // A whole file that is one object or array is JSON beyond doubt; a broken one is when it is called so.
  // Logs may begin with lines of JSON and go on with others.
  const values = countJson(text, content.limits.maxNesting, named === undefined ? Infinity : SAMPLE_VALUES);
  if (values > 0) return { certainty: "certain", format: named ?? (values === 1 ? json : lines) };
  return named === undefined ? null : { certainty: "possible", format: named };
}

async function load(content: Content, blocks: BlockCollector): Promise<void> {
  const writer = new RecordWriter(blocks);
  try {
    scanJson(content.decoded?.text ?? "", writer, content.limits.maxNesting);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw content.unreadable(`it is not valid JSON: ${error.message}`);
    throw error;
  }
  writer.flush();
}
