/** Outlook messages as Exchange sends them to other programs ("winmail.dat"), made by code. */
import type { OutlookObject, OutlookProperties } from "./outlook.ts";

const SIGNATURE = 0x223e9f78;
const PROPERTIES = 0x00069003;
const RECIPIENTS = 0x00069004;
const ATTACHMENT_PROPERTIES = 0x00069005;
const ATTACHMENT_LOOK = 0x00069002;
const NAMED = 0x8000;

/** Attributes by their numbers, which only old programs need: they stand before the properties. */
export type OldAttributes = ReadonlyArray<readonly [attribute: number, data: Uint8Array]>;

/**
 * The file. `names` are numbers by which properties from 8000 on are known; an attachment's `old` attributes stand in it beside its properties.
 * A message in a message is written as an object in its attachment.
 */
export function winmail(
  { properties, recipients = [], attachments = [] }: OutlookObject,
  {
    names = [],
    old = [],
    oldOfAttachments = [],
  }: { names?: readonly number[]; old?: OldAttributes; oldOfAttachments?: OldAttributes } = {},
): Uint8Array {
  const head = Buffer.alloc(6);
  head.writeUInt32LE(SIGNATURE);
  const parts: Uint8Array[] = [head];
  for (const [attribute, data] of old) parts.push(attributeOf(1, attribute, data));
  parts.push(attributeOf(1, PROPERTIES, listOf(properties, names)));
  if (recipients.length > 0) {
    const rows = recipients.map((recipient) => listOf(recipient, names));
    parts.push(attributeOf(1, RECIPIENTS, Buffer.concat([u32(rows.length), ...rows])));
  }
  for (const attachment of attachments) {
    parts.push(attributeOf(2, ATTACHMENT_LOOK, Buffer.alloc(14)));
    for (const [attribute, data] of oldOfAttachments) parts.push(attributeOf(2, attribute, data));
    const own = attachment.message === undefined ? [] : [objectOf("3701", winmail(attachment.message, { names }))];
    parts.push(attributeOf(2, ATTACHMENT_PROPERTIES, listOf(attachment.properties, names, own)));
  }
  return Buffer.concat(parts);
}

function attributeOf(level: number, attribute: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt8(level, 0);
  head.writeUInt32LE(attribute, 1);
  head.writeUInt32LE(data.length, 5);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(data.reduce((sum, byte) => (sum + byte) & 0xffff, 0));
  return Buffer.concat([head, data, checksum]);
}

function listOf(properties: OutlookProperties, names: readonly number[], more: readonly Buffer[] = []): Buffer {
  const written = Object.entries(properties).map(([number, value]) => propertyOf(number, value, names));
  return Buffer.concat([u32(written.length + more.length), ...written, ...more]);
}

function propertyOf(number: string, value: OutlookProperties[string], names: readonly number[]): Buffer {
  const tag = (type: number): Buffer => Buffer.concat([tagOf(type, number), nameOf(number, names)]);
  if (typeof value === "number") return Buffer.concat([tag(0x03), u32(value)]);
  if (value instanceof Date) {
    const time = Buffer.alloc(8);
    time.writeBigUInt64LE(BigInt(value.getTime()) * 10_000n + 116_444_736_000_000_000n);
    return Buffer.concat([tag(0x40), time]);
  }
  const isText = typeof value === "string";
  return Buffer.concat([
    tag(isText ? 0x1f : 0x102),
    sized(isText ? Buffer.from(`${value}\0`, "utf16le") : Buffer.from(value)),
  ]);
}

function objectOf(number: string, bytes: Uint8Array): Buffer {
  return Buffer.concat([tagOf(0x0d, number), sized(Buffer.concat([Buffer.alloc(16, 7), bytes]))]);
}

function tagOf(type: number, number: string): Buffer {
  return u32(type | (Number.parseInt(number, 16) << 16));
}

function nameOf(number: string, names: readonly number[]): Buffer {
  const name = names[Number.parseInt(number, 16) - NAMED];
  return name === undefined ? Buffer.alloc(0) : Buffer.concat([Buffer.alloc(16), u32(0), u32(name)]);
}

/** One value of so many bytes, up to a multiple of four. */
function sized(bytes: Buffer): Buffer {
  return Buffer.concat([u32(1), u32(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
