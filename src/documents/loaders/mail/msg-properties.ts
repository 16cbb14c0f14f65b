/** The properties of one object in an Outlook message: of the message, a recipient or an attachment (MS-OXMSG, sections 2.1 to 2.4). */
import type { CompoundReader, Storage } from "../office/compound-reader.ts";
import { decodeAs } from "../../decode-text.ts";

const TEXT_UTF16 = "001F";
const TEXT_8BIT = "001E";
const BINARY = "0102";
const ENTRY_BYTES = 16;
/** 100-nanosecond steps from 1601, in which times are given, to 1970. */
const STEPS_TO_1970 = 116_444_736_000_000_000n;

/** Names that are numbers, to the numbers under which this message keeps them (MS-OXMSG, section 2.2.3). */
export type NamedProperties = ReadonlyMap<number, number>;

export class MsgProperties {
  /** Values of fixed size by their number, eight bytes each. */
  private readonly fixed = new Map<number, DataView>();

  /** `headBytes`: before the values of fixed size; their number depends on what the object is. */
  constructor(
    private readonly reader: CompoundReader,
    private readonly storage: Storage,
    headBytes: number,
    private readonly named: NamedProperties,
    private codePage: number | null = null,
  ) {
    const bytes = this.stream("__properties_version1.0") ?? new Uint8Array();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = headBytes; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES)
      this.fixed.set(view.getUint16(at + 2, true), new DataView(bytes.buffer, bytes.byteOffset + at + 8, 8));
    this.codePage ??= this.number(0x3ffd) ?? this.number(0x3fde);
  }

  /** The properties of an object inside this one. */
  inner(storage: Storage, headBytes: number): MsgProperties {
    return new MsgProperties(this.reader, storage, headBytes, this.named, this.codePage);
  }

  /** Objects inside this one whose storages have such names, which end with their numbers. */
  storages(prefix: string): Storage[] {
    const inside = this.storage.storages.filter(({ name }) => name.startsWith(prefix));
    return inside.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The first of these properties that is a text and not blank, or "". */
  async text(...numbers: readonly number[]): Promise<string> {
    for (const number of numbers) {
      const wide = this.value(number, TEXT_UTF16);
      const narrow = wide === null ? this.value(number, TEXT_8BIT) : null;
      const text =
        wide === null ? await this.decoded(narrow ?? new Uint8Array()) : new TextDecoder("utf-16le").decode(wide);
      const [value = ""] = text.split("\0", 1);
      if (value.trim() !== "") return value;
    }
    return "";
  }

  binary(number: number): Uint8Array | null {
    return this.value(number, BINARY);
  }

  number(number: number): number | null {
    return this.fixed.get(number)?.getInt32(0, true) ?? null;
  }

  /** Milliseconds since 1970. */
  time(number: number): number | null {
    const steps = this.fixed.get(number)?.getBigUint64(0, true);
    return steps === undefined || steps === 0n ? null : Number((steps - STEPS_TO_1970) / 10_000n);
  }

  /** The number of a property that is known by its name; one that is not there has the number 0, which none has. */
  namedAs(name: number): number {
    return this.named.get(name) ?? 0;
  }

  private async decoded(bytes: Uint8Array): Promise<string> {
    const encoding = this.codePage === 65001 ? "utf-8" : `cp${this.codePage ?? 1252}`;
    return (await decodeAs(bytes, encoding)) ?? (await decodeAs(bytes, "cp1252")) ?? "";
  }

  private value(number: number, type: string): Uint8Array | null {
    return this.stream(`__substg1.0_${number.toString(16).toUpperCase().padStart(4, "0")}${type}`);
  }

  private stream(name: string): Uint8Array | null {
    const stream = this.storage.streams.get(name);
    return stream === undefined ? null : this.reader.read(stream);
  }
}

/** Names that are numbers; those of different sets never meet in what is asked for here. */
export function namedProperties(reader: CompoundReader): NamedProperties {
  const folder = reader.root.storages.find(({ name }) => name === "__nameid_version1.0");
  const stream = folder?.streams.get("__substg1.0_00030102");
  const bytes = stream === undefined ? new Uint8Array() : reader.read(stream);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const named = new Map<number, number>();
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const isText = (view.getUint16(at + 4, true) & 1) === 1;
    if (!isText) named.set(view.getUint32(at, true), 0x8000 + view.getUint16(at + 6, true));
  }
  return named;
}
