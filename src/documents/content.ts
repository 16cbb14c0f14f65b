/** One uploaded file as the sniffer and the loaders see it. */
import { fail } from "../foundation/errors.ts";
import type { LecternError } from "../foundation/errors.ts";
import { decodeText } from "./decode-text.ts";
import type { DecodedText } from "./decode-text.ts";
import type { ReadingLimits } from "./limits.ts";

export class Content {
  private constructor(
    readonly bytes: Uint8Array,
    /** The client's name for the file, for errors. */
    readonly name: string,
    /** Lower case, without the dot; "" when the name has none. */
    readonly extension: string,
    /** Lower case, without parameters; "" when none was declared. */
    readonly declaredMimeType: string,
    /** The whole file as text, or null when it is binary. */
    readonly decoded: DecodedText | null,
    readonly limits: ReadingLimits,
  ) {}

  static async of(
    bytes: Uint8Array,
    name: string,
    declaredMimeType: string | null,
    limits: ReadingLimits,
  ): Promise<Content> {
    const declared = (declaredMimeType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
    return new Content(bytes, name, extensionOf(name), declared, await decodeText(bytes), limits);
  }

  /** Whether the file begins with these bytes. */
  startsWith(...magic: number[]): boolean {
    return magic.every((byte, index) => this.bytes[index] === byte);
  }

  /** An UNREADABLE_FILE error for this file. The cause is for the log. */
  unreadable(reason: string, cause?: unknown): LecternError {
    return fail("UNREADABLE_FILE", { file: this.name, reason }, { file: this.name }, cause);
  }
}

function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
}
