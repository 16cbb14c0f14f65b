/** YAML, written as JSON is; comments stay, since they are written for people. What is no YAML after all, as templates are, is text. */
import type { Document, Node, Pair, Scalar } from "yaml";
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { namedFormat } from "../loader.ts";
import type { Loader, Recognition } from "../loader.ts";
import { RecordWriter } from "./record-writer.ts";
import { addParagraphs, linesOf } from "../text/text-paragraphs.ts";

const format = { mimeType: "application/yaml", extensions: ["yaml", "yml"] };

export const yamlLoader: Loader = { id: "yaml", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  if (content.decoded === null) return null;
  if (content.decoded.text.startsWith("%YAML")) return { certainty: "likely", format };
  return namedFormat(yamlLoader, content) === undefined ? null : { certainty: "possible", format };
}

async function load({ decoded, limits }: Content, blocks: BlockCollector): Promise<void> {
  const text = decoded?.text ?? "";
  const yaml = await import("yaml");
  const writer = new NodeWriter(new RecordWriter(blocks), yaml, limits.maxNesting);
  try {
    if (text.length > limits.maxTreeCharacters) throw new NotWritten();
    const composer = new yaml.Composer({ logLevel: "silent", uniqueKeys: false });
    // Documents are composed one at a time, and let go of.
    for (const document of composer.compose(new yaml.Parser().parse(text), true)) writer.document(document);
  } catch (error) {
    // The parser descends into what is nested until there is no room left.
    if (!(error instanceof NotWritten || error instanceof RangeError)) throw error;
    blocks.clear();
    addParagraphs(blocks, linesOf(text));
  }
}

/** Characters of a value that is repeated where others point at it. */
const LONGEST_REPEATED = 1000;

/** Thrown for what is better read as text. */
class NotWritten extends Error {}

class NodeWriter {
  /** Values that others point at. Only short single values are repeated there, so that nothing grows. */
  private readonly anchors = new Map<string, string>();

  constructor(
    private readonly records: RecordWriter,
    private readonly yaml: typeof import("yaml"),
    private readonly maxNesting: number,
  ) {}

  document(document: Document.Parsed): void {
    if (document.errors.length > 0) throw new NotWritten();
    this.anchors.clear();
    this.records.comment(document.commentBefore ?? "");
    this.node(document.contents, 0);
    this.records.comment(document.comment ?? "");
    this.records.flush();
  }

  private node(node: Node | null, depth: number): void {
    if (depth > this.maxNesting) throw new NotWritten();
    if (node === null) return;
    const { isMap, isSeq, isScalar, isAlias } = this.yaml;
    if (isMap(node)) this.map(node.items as Pair<Node, Node | null>[], depth);
    else if (isSeq(node)) {
      this.records.beginArray();
      for (const item of node.items as Node[]) {
        this.records.comment(this.commentsOf(item));
        this.node(item, depth + 1);
      }
      this.records.endArray();
    } else if (isScalar(node)) this.scalar(node);
    else if (isAlias(node)) this.records.string(this.anchors.get(node.source) ?? "");
  }

  private map(pairs: readonly Pair<Node, Node | null>[], depth: number): void {
    this.records.beginObject();
    for (const { key, value } of pairs) {
      this.records.comment(this.commentsOf(key));
      this.records.key(this.yaml.isScalar(key) ? written(key) : "");
      if (value === null) continue;
      this.records.comment(this.commentsOf(value));
      this.node(value, depth + 1);
    }
    this.records.endObject();
  }

  private scalar(scalar: Scalar): void {
    const value = written(scalar);
    if (scalar.anchor !== undefined) this.anchors.set(scalar.anchor, value.length <= LONGEST_REPEATED ? value : "");
    if (scalar.value !== null) this.records.string(value);
  }

  private commentsOf({ commentBefore, comment }: Node): string {
    return [commentBefore ?? "", comment ?? ""].filter((text) => text.trim() !== "").join("\n");
  }
}

/** A value as its author wrote it: numbers keep their digits, dates their form. */
function written({ value, source }: Scalar): string {
  return typeof value === "string" ? value : (source ?? String(value ?? ""));
}
