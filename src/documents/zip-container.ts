/**
 * Zip containers as documents use them, read with distrust: the directory is checked before anything is inflated, and inflating stops as
 * soon as a member becomes larger than the directory says or the limits allow.
 */
import { inflateRawSync } from "node:zlib";
import type { ReadingLimits } from "./limits.ts";
import { ZipRefusal } from "./zip-directory.ts";
import type { ZipMember } from "./zip-directory.ts";

export { isZip, zipMembers, ZipRefusal } from "./zip-directory.ts";
export type { ZipMember } from "./zip-directory.ts";

const LOCAL_HEADER = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

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
    // What a damaged member takes to unpack counts too.
    this.inflatedBytes += member.declaredBytes;
    const content = member.method === STORED ? packed : inflate(member, packed);
    if (content.length !== member.declaredBytes) throw new ZipRefusal("a member of its zip container is cut off");
    if (Bun.hash.crc32(content) !== member.checksum) throw new ZipRefusal("a member of its zip container is damaged");
    return content;
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
    const data = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    const damaged = new ZipRefusal("its zip container is cut off or damaged");
    if (headerOffset + 30 > this.bytes.length || data.getUint32(headerOffset, true) !== LOCAL_HEADER) throw damaged;
    const start = headerOffset + 30 + data.getUint16(headerOffset + 26, true) + data.getUint16(headerOffset + 28, true);
    if (start + packedBytes > this.bytes.length) throw damaged;
    return this.bytes.subarray(start, start + packedBytes);
  }
}

/** The unpacked bytes. Memory does not grow beyond what the directory says. */
function inflate({ declaredBytes }: ZipMember, packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, declaredBytes) });
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "larger than declared" : "cut off or damaged";
    throw new ZipRefusal(`a member of its zip container is ${reason}`, { cause: error });
  }
}
