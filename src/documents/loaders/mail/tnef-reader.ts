/**
 * Outlook's messages in the form in which Exchange sends them to other programs, "winmail.dat" (MS-OXTNEF): attributes one after another, those
 * of the message first, then those of each attachment; most of what matters lies in lists of properties within them.
 */
import type { MapiAttachment, MapiMessage } from "./mapi-message.ts";
import { MapiProperties, MapiType, STEPS_TO_1970 } from "./mapi-properties.ts";

const SIGNATURE = 0x223e9f78;
const SIGNATURE_BYTES = 6;
const HEAD_BYTES = 9;
const CHECKSUM_BYTES = 2;
const LEVELS: ReadonlySet<number> = new Set([1, 2]);

/** Attributes by their numbers. The types of their values stand beside these, and some programs have them wrong. */
const Attribute = {
  from: 0x8000,
  subject: 0x8004,
  sent: 0x8005,
  body: 0x800c,
  attachmentData: 0x800f,
  attachmentTitle: 0x8010,
  /** Begins an attachment. */
  attachmentLook: 0x9002,
  properties: 0x9003,
  recipients: 0x9004,
  attachmentProperties: 0x9005,
  codePage: 0x9007,
} as const;

/** Further ones are not named. */
const MOST_RECIPIENTS = 10_000;

const MULTIPLE = 0x1000;
const OBJECT = 0x0d;
/** Before an object's bytes: what it is. */
const OBJECT_HEAD = 16;
const GUID_BYTES = 16;
const FIRST_NAMED = 0x8000;
/** Bytes of values of fixed size, padding included. */
const FIXED_BYTES: ReadonlyMap<number, number> = new Map([
  [0x01, 0],
  [0x02, 4],
  [0x03, 4],
  [0x04, 4],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x0a, 4],
  [0x0b, 4],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
]);
const VARIABLE: ReadonlySet<number> = new Set([MapiType.text8, MapiType.text16, MapiType.binary, OBJECT]);

/** Thrown where the message cannot be read on; the message is the rest of a sentence about the file. */
export class TnefDamage extends Error {}

export function isTnef(bytes: Uint8Array): boolean {
  return bytes.length >= SIGNATURE_BYTES && viewOf(bytes).getUint32(0, true) === SIGNATURE;
}

/** The message in the bytes. Throws TnefDamage where they are cut off or damaged, or hold more than so many attachments. */
export function tnefMessage(bytes: Uint8Array, mostAttachments: number): MapiMessage {
  const message = new TnefProperties();
  const attachments: Array<MapiAttachment & { readonly properties: TnefProperties }> = [];
  let recipients: TnefProperties[] = [];
  for (const { attribute, data } of attributesOf(bytes)) {
    const attachment = attachments.at(-1)?.properties;
    if (attribute === Attribute.attachmentLook) {
      if (attachments.length >= mostAttachments)
        throw new TnefDamage(`it holds more than ${mostAttachments} attachments`);
      attachments.push({ properties: new TnefProperties(message) });
    } else if (attribute === Attribute.codePage && data.length >= 4)
      message.useCodePage(viewOf(data).getUint32(0, true));
    else if (attribute === Attribute.properties) message.read(new Cursor(data));
    else if (attribute === Attribute.recipients) recipients = recipientsIn(data, message);
    else if (attribute === Attribute.attachmentProperties) attachment?.read(new Cursor(data));
    else if (attribute === Attribute.attachmentTitle) attachment?.suggest(0x3707, MapiType.text8, data);
    else if (attribute === Attribute.attachmentData) attachment?.suggest(0x3701, MapiType.binary, data);
    else if (attribute === Attribute.subject) message.suggest(0x0037, MapiType.text8, data);
    else if (attribute === Attribute.body) message.suggest(0x1000, MapiType.text8, data);
    else if (attribute === Attribute.sent) message.suggestTime(0x0039, data);
    else if (attribute === Attribute.from) suggestSender(message, data);
  }
  return { properties: message, recipients, attachments };
}

function* attributesOf(bytes: Uint8Array): Generator<{ readonly attribute: number; readonly data: Uint8Array }> {
  const view = viewOf(bytes);
  for (let at = SIGNATURE_BYTES; at < bytes.length; ) {
    // Attributes are of the message or of an attachment. Some programs fill the end up.
    if (bytes[at] === 0 && bytes.subarray(at).every((byte) => byte === 0)) return;
    if (!LEVELS.has(bytes[at]!) || at + HEAD_BYTES > bytes.length) throw damaged();
    const start = at + HEAD_BYTES;
    const end = start + view.getUint32(at + 5, true);
    if (end + CHECKSUM_BYTES > bytes.length) throw damaged();
    yield { attribute: view.getUint16(at + 1, true), data: bytes.subarray(start, end) };
    at = end + CHECKSUM_BYTES;
  }
}

function recipientsIn(data: Uint8Array, message: TnefProperties): TnefProperties[] {
  const cursor = new Cursor(data);
  const recipients: TnefProperties[] = [];
  for (let count = Math.min(MOST_RECIPIENTS, cursor.number()); count > 0; count -= 1) {
    const recipient = new TnefProperties(message);
    recipient.read(cursor);
    recipients.push(recipient);
  }
  return recipients;
}

/** A name and an address, "SMTP:ada@example.org", behind four numbers of two bytes, of which the last two are their lengths. */
function suggestSender(message: TnefProperties, data: Uint8Array): void {
  if (data.length < 8) return;
  const nameBytes = viewOf(data).getUint16(4, true);
  const addressBytes = viewOf(data).getUint16(6, true);
  message.suggest(0x0c1a, MapiType.text8, data.subarray(8, 8 + nameBytes));
  const address = data.subarray(8 + nameBytes, 8 + nameBytes + addressBytes);
  message.suggest(0x0c1f, MapiType.text8, address.subarray(address.indexOf(":".charCodeAt(0)) + 1));
}

class TnefProperties extends MapiProperties {
  private readonly values = new Map<number, { readonly type: number; readonly bytes: Uint8Array }>();
  private readonly names = new Map<number, number>();

  /** `message`: what this belongs to, and has its code page of. */
  constructor(message?: TnefProperties) {
    super();
    this.named = this.names;
    this.codePage = message?.codePage ?? null;
  }

  useCodePage(codePage: number): void {
    this.codePage = codePage;
  }

  /** Takes what an older attribute says where no property does. */
  suggest(number: number, type: number, bytes: Uint8Array): void {
    if (!this.values.has(number)) this.values.set(number, { type, bytes });
  }

  /** The same for a time: year, month, day, hour, minute and second, two bytes each. */
  suggestTime(number: number, data: Uint8Array): void {
    if (data.length < 12 || this.fixed.has(number)) return;
    const view = viewOf(data);
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = Array.from({ length: 6 }, (_, index) =>
      view.getUint16(index * 2, true),
    );
    const milliseconds = Date.UTC(year, month - 1, day, hour, minute, second);
    const value = new DataView(new ArrayBuffer(8));
    value.setBigUint64(0, BigInt(milliseconds) * 10_000n + STEPS_TO_1970, true);
    this.fixed.set(number, value);
  }

  /** Reads a list of properties. Throws TnefDamage where it ends before its time. */
  read(cursor: Cursor): void {
    for (let count = cursor.number(); count > 0; count -= 1) this.readProperty(cursor);
    this.codePage ??= this.number(0x3ffd) ?? this.number(0x3fde);
  }

  protected value(number: number, type: number): Uint8Array | null {
    const value = this.values.get(number);
    return value?.type === type ? value.bytes : null;
  }

  private readProperty(cursor: Cursor): void {
    const tag = cursor.number();
    const [type, number] = [tag & 0xfff, tag >>> 16];
    if (number >= FIRST_NAMED) this.readName(cursor, number);
    if (VARIABLE.has(type)) {
      for (let count = cursor.number(), index = 0; index < count; index += 1) {
        const bytes = cursor.take(cursor.number());
        // Of several values the first stands for all.
        if (index === 0) this.keep(number, type, bytes);
      }
      return;
    }
    const size = FIXED_BYTES.get(type);
    if (size === undefined) throw damaged();
    const count = (tag & MULTIPLE) === 0 ? 1 : cursor.number();
    if (size * count > cursor.left) throw damaged();
    const bytes = cursor.take(size * count);
    if (count === 0 || size === 0) return;
    const value = new Uint8Array(8);
    value.set(bytes.subarray(0, Math.min(8, size)));
    this.fixed.set(number, viewOf(value));
  }

  private keep(number: number, type: number, bytes: Uint8Array): void {
    if (type === OBJECT) this.values.set(number, { type: MapiType.binary, bytes: bytes.subarray(OBJECT_HEAD) });
    else this.values.set(number, { type, bytes });
  }

  /** Names are numbers or words; words are of no use here. */
  private readName(cursor: Cursor, number: number): void {
    cursor.take(GUID_BYTES);
    const isNumber = cursor.number() === 0;
    if (isNumber) this.names.set(cursor.number(), number);
    else cursor.take(cursor.number());
  }
}

/** Reads on from the beginning; everything begins at a multiple of four bytes. */
class Cursor {
  private at = 0;

  constructor(private readonly data: Uint8Array) {}

  get left(): number {
    return this.data.length - this.at;
  }

  /** Throws TnefDamage at the end. */
  number(): number {
    return viewOf(this.take(4)).getUint32(0, true);
  }

  take(length: number): Uint8Array {
    if (length > this.left) throw damaged();
    const bytes = this.data.subarray(this.at, this.at + length);
    this.at = Math.min(this.data.length, this.at + Math.ceil(length / 4) * 4);
    return bytes;
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function damaged(): TnefDamage {
  return new TnefDamage("it is cut off or damaged");
}
