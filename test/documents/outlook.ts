/** Outlook messages made by code: the properties of a message, of its recipients and attachments, in a compound file. */
import CFB from "cfb";

/** Texts by property number, e.g. { "0037": "Subject" }; bytes are binary properties, numbers and dates have a fixed size. */
export type OutlookProperties = Readonly<Record<string, string | Uint8Array | number | Date>>;

export interface OutlookObject {
  readonly properties: OutlookProperties;
  readonly recipients?: readonly OutlookProperties[];
  readonly attachments?: ReadonlyArray<{ readonly properties: OutlookProperties; readonly message?: OutlookObject }>;
}

const NAMED = 0x8000;

/** A .msg file. `names` are numbers by which properties from 8000 on are known; `encode` writes texts in 8 bits, where given. */
export function outlookMessage(
  message: OutlookObject,
  names: readonly number[] = [],
  encode: ((text: string) => Uint8Array) | null = null,
): Uint8Array {
  const file = CFB.utils.cfb_new();
  const add = (path: string, bytes: Uint8Array): void => void CFB.utils.cfb_add(file, path, Buffer.from(bytes));
  const write = (object: OutlookObject, path: string, headBytes: number): void => {
    properties(object.properties, path, headBytes);
    object.recipients?.forEach((recipient, index) =>
      properties(recipient, `${path}__recip_version1.0_#${numbered(index)}/`, 8),
    );
    object.attachments?.forEach((attachment, index) => {
      const inner = `${path}__attach_version1.0_#${numbered(index)}/`;
      properties(attachment.properties, inner, 8);
      if (attachment.message !== undefined) write(attachment.message, `${inner}__substg1.0_3701000D/`, 24);
    });
  };
  const properties = (values: OutlookProperties, path: string, headBytes: number): void => {
    const fixed: Uint8Array[] = [Buffer.alloc(headBytes)];
    for (const [number, value] of Object.entries(values)) {
      if (typeof value === "number" || value instanceof Date) fixed.push(fixedProperty(number, value));
      else if (typeof value !== "string") add(`${path}__substg1.0_${number}0102`, value);
      else if (encode === null) add(`${path}__substg1.0_${number}001F`, Buffer.from(value, "utf16le"));
      else add(`${path}__substg1.0_${number}001E`, encode(value));
    }
    add(`${path}__properties_version1.0`, Buffer.concat(fixed));
  };
  const entries: Uint8Array[] = names.map((name, index) => {
    const entry = Buffer.alloc(8);
    entry.writeUInt32LE(name, 0);
    entry.writeUInt16LE(index, 6);
    return entry;
  });
  add("/__nameid_version1.0/__substg1.0_00030102", Buffer.concat(entries));
  write(message, "/", 32);
  return new Uint8Array(CFB.write(file, { type: "buffer" }) as ArrayBuffer);
}

/** The number of the named property at this place of the list of names. */
export function namedProperty(index: number): string {
  return (NAMED + index).toString(16).toUpperCase();
}

function fixedProperty(number: string, value: number | Date): Buffer {
  const entry = Buffer.alloc(16);
  entry.writeUInt16LE(value instanceof Date ? 0x0040 : 0x0003, 0);
  entry.writeUInt16LE(Number.parseInt(number, 16), 2);
  if (value instanceof Date) entry.writeBigUInt64LE(BigInt(value.getTime()) * 10_000n + 116_444_736_000_000_000n, 8);
  else entry.writeInt32LE(value, 8);
  return entry;
}

function numbered(index: number): string {
  return index.toString(16).toUpperCase().padStart(8, "0");
}
