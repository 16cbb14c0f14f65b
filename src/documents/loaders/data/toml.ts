/** TOML, written as JSON is. What is broken is text. */
import type { TomlValue } from "smol-toml";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { RecordWriter } from "./record-writer.ts";
import { addParagraphs, linesOf } from "../text/text-paragraphs.ts";

const format = { mimeType: "application/toml", extensions: ["toml"] };

export const tomlLoader: Loader = { id: "toml", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const isNamed = content.decoded !== null && namedFormat(tomlLoader, content) !== undefined;
  return isNamed ? { certainty: "possible", format } : null;
}

async function load({ decoded, limits }: Content, blocks: BlockCollector): Promise<void> {
  const text = decoded?.text ?? "";
  const { parse, TomlDate, TomlError } = await import("smol-toml");
  const records = new RecordWriter(blocks);
  const write = (value: TomlValue): void => {
    if (Array.isArray(value)) {
      records.beginArray();
      value.forEach(write);
      records.endArray();
    } else if (value instanceof TomlDate) records.literal(value.toISOString());
    else if (typeof value === "object") {
      records.beginObject();
      for (const [name, member] of Object.entries(value)) {
        records.key(name);
        write(member);
      }
      records.endObject();
    } else if (typeof value === "string") records.string(value);
    else records.literal(String(value));
  };
  try {
    write(parse(text, { maxDepth: limits.maxNesting, integersAsBigInt: true }));
    records.flush();
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    blocks.clear();
    addParagraphs(blocks, linesOf(text));
  }
}
