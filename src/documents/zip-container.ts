/**
 * Zip containers as documents use them, read with distrust: the central directory is checked before anything is inflated,
 * and inflating stops as soon as a member becomes larger than the directory says or the limits allow.
 * Format: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. Zip64 is not needed below 4 GiB and is refused.
 */
import { Inflate } from "fflate";
import type { ReadingLimits } from "./limits.ts";

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_RECORD_BYTES = 22;
const MOST_COMMENT_BYTES = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;
/** Packed bytes given to the decompressor at once; at most a thousand times as many come out before the next check. */
const INFLATE_STEP_BYTES = 16 * 1024;

export interface ZipMember {
  name: string;
  encrypted: boolean;
  method: number;
  packedBytes: number;
  declaredBytes: number;
  headerOffset: number;
}

/** Why a container is refused, as the rest of a sentence about the file. */
export class ZipRefusal extends Error {}

export function isZip(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && view(bytes).getUint32(0, true) === LOCAL_HEADER;
}

/** The members by the central directory. Throws ZipRefusal when that is damaged or over the limits. */
export function zipMembers(bytes: Uint8Array, limits: ReadingLimits): Map<string, ZipMember> {
  const data = view(bytes);
  const end = findEndRecord(data);
  if (end === undefined) throw new ZipRefusal("its zip container is cut off or damaged");
  const count = data.getUint16(end + 10, true);
  if (count > limits.maxMembers) throw new ZipRefusal(`its zip container has more than ${limits.maxMembers} members`);
  const members = new Map<string, ZipMember>();
  let at = data.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || data.getUint32(at, true) !== DIRECTORY_HEADER)
      throw new ZipRefusal("its zip container is damaged");
    const nameBytes = data.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes));
    members.set(name, {
      name,
      encrypted: (data.getUint16(at + 8, true) & ENCRYPTED_FLAG) !== 0,
      method: data.getUint16(at + 10, true),
      packedBytes: data.getUint32(at + 20, true),
      declaredBytes: data.getUint32(at + 24, true),
      headerOffset: data.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + data.getUint16(at + 30, true) + data.getUint16(at + 32, true);
  }
  return members;
}

/** Inflates members within limits that hold for all of them together. */
export class ZipReader {
  private inflatedBytes = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly limits: ReadingLimits,
  ) {}

  /** The bytes of a member. Throws ZipRefusal when it is damaged, encrypted, or inflates beyond the limits. */
  read(member: ZipMember): Uint8Array {
    if (member.encrypted) throw new ZipRefusal("it is protected with a password");
    this.checkSize(member, member.declaredBytes);
    const packed = this.packed(member);
    if (member.method !== STORED && member.method !== DEFLATED)
      throw new ZipRefusal(`it is packed by method ${member.method}`);
    const content = member.method === STORED ? packed : this.inflate(member, packed);
    this.inflatedBytes += content.length;
    return content;
  }

  private inflate(member: ZipMember, packed: Uint8Array): Uint8Array {
    const parts: Uint8Array[] = [];
    let size = 0;
    const inflate = new Inflate((part) => {
      size += part.length;
      if (size > member.declaredBytes) throw new ZipRefusal("a member of its zip container is larger than declared");
      parts.push(part);
    });
    for (let at = 0; at < packed.length; at += INFLATE_STEP_BYTES) {
      const next = at + INFLATE_STEP_BYTES;
      inflate.push(packed.subarray(at, next), next >= packed.length);
    }
    if (size !== member.declaredBytes) throw new ZipRefusal("a member of its zip container is cut off");
    return Buffer.concat(parts);
  }

  private checkSize(member: ZipMember, size: number): void {
    const { maxInflatedBytes, maxInflationRatio, ratioAppliesFrom } = this.limits;
    if (this.inflatedBytes + size > maxInflatedBytes)
      throw new ZipRefusal(`it unpacks to more than ${maxInflatedBytes} bytes`);
    if (size > ratioAppliesFrom && size > member.packedBytes * maxInflationRatio) {
      throw new ZipRefusal(`it unpacks to more than ${maxInflationRatio} times its size`);
    }
  }

  private packed({ headerOffset, packedBytes }: ZipMember): Uint8Array {
    const data = view(this.bytes);
    const damaged = new ZipRefusal("its zip container is cut off or damaged");
    if (headerOffset + 30 > this.bytes.length || data.getUint32(headerOffset, true) !== LOCAL_HEADER) throw damaged;
    const start = headerOffset + 30 + data.getUint16(headerOffset + 26, true) + data.getUint16(headerOffset + 28, true);
    if (start + packedBytes > this.bytes.length) throw damaged;
    return this.bytes.subarray(start, start + packedBytes);
  }
}

function findEndRecord(data: DataView): number | undefined {
  const first = Math.max(0, data.byteLength - END_RECORD_BYTES - MOST_COMMENT_BYTES);
  for (let at = data.byteLength - END_RECORD_BYTES; at >= first; at -= 1) {
    if (data.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  return undefined;
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
