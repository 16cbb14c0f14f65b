/** What a format's loader is. A new format is one file with one of these, and its line in registry.ts. */
import type { BlockCollector } from "../block-collector.ts";
import type { Content } from "../content.ts";
import type { ReadMember } from "../members.ts";

export interface Format {
  mimeType: string;
  /** Lower case, without the dot; the first stands for the format. */
  extensions: readonly string[];
}

/**
 * How well a content fits a format:
 * - "certain": the content proves it, whatever the file is called;
 * - "likely": it looks like it and is taken for it unless the name or declared type speaks for another possible format;
 * - "possible": it can be read so, and is when the name or declared type says it.
 */
export type Certainty = "certain" | "likely" | "possible";

export interface Recognition {
  certainty: Certainty;
  format: Format;
}

export interface Loader {
  /** Recorded with each file, e.g. "pdf". */
  readonly id: string;
  readonly formats: readonly [Format, ...Format[]];
  /** Null when the content cannot be of this format. Looks at no more of the content than it must. */
  recognise(content: Content): Recognition | null;
  /**
   * Puts the document's text into the collector, in reading order; documents that lie in it are read by `readMember`. Anything thrown
   * that is not a LecternError is reported as a damaged file.
   */
  load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void>;
}

/** The loader's format to which the name's extension, or else the declared type, belongs. */
export function namedFormat(loader: Pick<Loader, "formats">, content: Content): Format | undefined {
  return (
    loader.formats.find(({ extensions }) => extensions.includes(content.extension)) ??
    loader.formats.find(({ mimeType }) => mimeType === content.declaredMimeType)
  );
}
