/** The properties of one object in an Outlook message that is a compound file (MS-OXMSG, sections 2.1 to 2.4). */
import type { CompoundReader, Storage } from "../office/compound-reader.ts";
import { MapiProperties, type NamedProperties } from "./mapi-properties.ts";

const ENTRY_BYTES = 16;

export class MsgProperties extends MapiProperties {
  /** `headBytes`: before the values of fixed size; their number depends on what the object is. */
  constructor(
    private readonly reader: CompoundReader,
    private readonly storage: Storage,
    headBytes: number,
    named: NamedProperties,
    codePage: number | null = null,
  ) {
    super();
    this.named = named;
    const bytes = this.stream("__properties_version1.0") ?? new Uint8Array();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = headBytes; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES)
      this.fixed.set(view.getUint16(at + 2, true), new DataView(bytes.buffer, bytes.byteOffset + at + 8, 8));
    this.codePage = codePage ?? this.number(0x3ffd) ?? this.number(0x3fde);
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

  protected value(number: number, type: number): Uint8Array | null {
    return this.stream(`__substg1.0_${hexadecimal(number)}${hexadecimal(type)}`);
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

function hexadecimal(number: number): string {
  return number.toString(16).toUpperCase().padStart(4, "0");
}
