/** The streams of OLE compound files, the container of Office 97-2003. */
import { isCompoundFile } from "../../compound-file.ts";
import { CompoundReader } from "./compound-reader.ts";
import type { Content } from "../../content.ts";

/** The streams of the document itself by their names in lower case, without those of what is embedded in it. */
export type CompoundStreams = ReadonlyMap<string, Buffer>;

/** Each loader asks whether it knows the same file. */
const opened = new WeakMap<Content, CompoundStreams | Error>();

/** Null where the file is no compound file, or a damaged one. */
export function compoundStreams(content: Content): CompoundStreams | null {
  if (!isCompoundFile(content.bytes)) return null;
  let streams = opened.get(content);
  if (streams === undefined) {
    streams = readStreams(content.bytes);
    opened.set(content, streams);
  }
  return streams instanceof Error ? null : streams;
}

/** The same for a file that was recognised. Throws what is wrong with it. */
export function openCompound(content: Content): CompoundStreams {
  const streams = compoundStreams(content);
  if (streams === null) throw content.unreadable("it is damaged or not what its type says", opened.get(content));
  return streams;
}

function readStreams(bytes: Uint8Array): CompoundStreams | Error {
  try {
    const reader = new CompoundReader(bytes);
    return new Map(
      [...reader.root.streams].map(([name, stream]) => [name.toLowerCase(), asBuffer(reader.read(stream))]),
    );
  } catch (error) {
    return error as Error;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
