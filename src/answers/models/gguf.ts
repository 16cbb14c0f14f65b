/**
 * Reads the head of a GGUF file (versions 2 and 3, as ggml's docs/gguf.md describes them): what the model is, and whether the file
 * is whole. The weights are not read.
 */
import { open, type FileHandle } from "node:fs/promises";
import { fail } from "../../foundation/errors.ts";

export interface GgufHead {
  /** Scalars and texts of the metadata; of arrays only the length, under `KEY.length`. */
  readonly metadata: ReadonlyMap<string, string | number | boolean>;
  readonly tensors: number;
  /** Numbers in all tensors. */
  readonly parameters: number;
  /** Bytes of all weights. */
  readonly weightBytes: number;
  /** Bytes of the whole file. */
  readonly fileBytes: number;
}

/** Bytes per block and numbers per block of each type of weight. */
const BLOCKS: Readonly<Record<number, readonly [numbers: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  9: [32, 36],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  15: [256, 292],
  16: [256, 66],
  17: [256, 74],
  18: [256, 98],
  19: [256, 50],
  20: [32, 18],
  21: [256, 110],
  22: [256, 82],
  23: [256, 136],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  29: [256, 56],
  30: [1, 2],
  34: [256, 54],
  35: [256, 66],
  39: [32, 17],
};

const ARRAY = 9;
const STRING = 8;
/** Bytes of the scalar types 0-12; strings and arrays have none. */
const SCALAR_BYTES = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];
const READ_BYTES = 1 << 20;
/** A longer text in the metadata is kept as its length only; the longest templates have some ten thousand. */
const LONGEST_TEXT = 1 << 20;

/** Throws OPERATION_FAILED with a sentence that names what is wrong: no GGUF, an unknown version, cut short, damaged. */
export async function readGgufHead(path: string): Promise<GgufHead> {
  const file = await open(path, "r").catch((cause: Error) => {
    throw fail("OPERATION_FAILED", { reason: `${path} cannot be read: ${cause.message}` }, undefined, cause);
  });
  try {
    return await readHead(new ByteReader(file, (await file.stat()).size));
  } catch (error) {
    if (error instanceof BrokenFile) throw fail("OPERATION_FAILED", { reason: `${path} ${error.message}` });
    throw error;
  } finally {
    await file.close();
  }
}

/** Finishes the sentence "PATH …". */
class BrokenFile extends Error {}

async function readHead(reader: ByteReader): Promise<GgufHead> {
  if (reader.size < 4 || (await reader.bytes(4)).toString("latin1") !== "GGUF")
    throw new BrokenFile("is no GGUF file.");
  const version = await reader.u32();
  if (version !== 2 && version !== 3)
    throw new BrokenFile(`is GGUF of version ${version}; Lectern reads versions 2 and 3, little-endian.`);
  const tensors = await reader.count();
  const fields = await reader.count();

  const metadata = new Map<string, string | number | boolean>();
  for (let field = 0; field < fields; field++) {
    const key = await reader.text();
    const type = await reader.u32();
    if (type === ARRAY) metadata.set(`${key}.length`, await skipArray(reader));
    else metadata.set(key, await readValue(reader, type));
  }

  let [parameters, weightBytes, end] = [0, 0, 0];
  for (let tensor = 0; tensor < tensors; tensor++) {
    await reader.text();
    const dimensions = await reader.u32();
    if (dimensions > 8) throw new BrokenFile("is damaged: a tensor has more than eight dimensions.");
    let numbers = 1;
    for (let dimension = 0; dimension < dimensions; dimension++) numbers *= Number(await reader.u64());
    const [perBlock, blockBytes] = BLOCKS[await reader.u32()] ?? [1, 0];
    const offset = Number(await reader.u64());
    const bytes = (numbers / perBlock) * blockBytes;
    parameters += numbers;
    weightBytes += bytes;
    end = Math.max(end, offset + bytes);
  }
  const alignment = Number(metadata.get("general.alignment") ?? 32) || 32;
  const needed = Math.ceil(reader.position / alignment) * alignment + end;
  if (needed > reader.size) throw new BrokenFile(`is cut short: it holds ${reader.size} of ${needed} bytes.`);
  return { metadata, tensors, parameters, weightBytes, fileBytes: reader.size };
}

async function readValue(reader: ByteReader, type: number): Promise<string | number | boolean> {
  if (type === STRING) return reader.text();
  const bytes = await reader.bytes(scalarBytes(type));
  switch (type) {
    case 0:
      return bytes.readUInt8();
    case 1:
      return bytes.readInt8();
    case 2:
      return bytes.readUInt16LE();
    case 3:
      return bytes.readInt16LE();
    case 4:
      return bytes.readUInt32LE();
    case 5:
      return bytes.readInt32LE();
    case 6:
      return bytes.readFloatLE();
    case 7:
      return bytes.readUInt8() !== 0;
    case 10:
      return Number(bytes.readBigUInt64LE());
    case 11:
      return Number(bytes.readBigInt64LE());
    default:
      return bytes.readDoubleLE();
  }
}

/** Passes over an array and returns its length. */
async function skipArray(reader: ByteReader): Promise<number> {
  const type = await reader.u32();
  const length = await reader.count();
  if (type === STRING) for (let index = 0; index < length; index++) reader.skip(Number(await reader.u64()));
  else if (type === ARRAY) for (let index = 0; index < length; index++) await skipArray(reader);
  else reader.skip(length * scalarBytes(type));
  return length;
}

function scalarBytes(type: number): number {
  const bytes = SCALAR_BYTES[type];
  if (!bytes) throw new BrokenFile(`is damaged: its metadata holds a value of the unknown type ${type}.`);
  return bytes;
}

/** Reads a file from its start, a megabyte at a time. */
class ByteReader {
  position = 0;
  private buffer = Buffer.alloc(0);
  private bufferStart = 0;

  constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  async bytes(length: number): Promise<Buffer> {
    if (this.position + length > this.size)
      throw new BrokenFile(`is cut short: it ends at byte ${this.size}, inside its head.`);
    const start = this.position - this.bufferStart;
    if (start < 0 || start + length > this.buffer.length) {
      const wanted = Math.min(Math.max(READ_BYTES, length), this.size - this.position);
      this.buffer = Buffer.alloc(wanted);
      this.bufferStart = this.position;
      const { bytesRead } = await this.file.read(this.buffer, 0, wanted, this.position);
      if (bytesRead < length)
        throw new BrokenFile(`is cut short: it ends at byte ${this.position + bytesRead}, inside its head.`);
    }
    const offset = this.position - this.bufferStart;
    this.position += length;
    return this.buffer.subarray(offset, offset + length);
  }

  skip(length: number): void {
    if (!(length >= 0) || this.position + length > this.size)
      throw new BrokenFile(`is cut short: it ends at byte ${this.size}, inside its head.`);
    this.position += length;
  }

  async u32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE();
  }

  async u64(): Promise<bigint> {
    return (await this.bytes(8)).readBigUInt64LE();
  }

  /** A number of things, each of which takes at least one byte. */
  async count(): Promise<number> {
    const count = Number(await this.u64());
    if (count > this.size) throw new BrokenFile("is damaged: it announces more than it can hold.");
    return count;
  }

  async text(): Promise<string> {
    const length = Number(await this.u64());
    if (length > LONGEST_TEXT) {
      this.skip(length);
      return "";
    }
    return (await this.bytes(length)).toString("utf8");
  }
}
