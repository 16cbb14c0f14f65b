/** One uploaded file as the sniffer and the loaders see it. */
import { fail } from "../foundation/errors.ts";
import type { LecternError } from "../foundation/errors.ts";
import { bytesSource, type ByteSource } from "./byte-source.ts";
import { decodeText } from "./decode-text.ts";
import type { DecodedText } from "./decode-text.ts";
import type { ReadingLimits } from "./limits.ts";
import { plainRecognition, type TextRecognition } from "./text-recognition.ts";

/** What was taken of members of one file together. */
interface MemberBudget {
  members: number;
  bytes: number;
  /** Those that are pictures, of which text is recognised. */
  pictures: number;
  /** Whether one of the limits was reached. */
  isSpent: boolean;
}

/** Where in an uploaded file a content lies. */
interface Standing {
  /** The uploaded file's name. */
  readonly file: string;
  /** The path inside it; null for the file itself. */
  readonly memberPath: string | null;
  /** Containers around it. */
  readonly depth: number;
  /** What was read of members of the whole file. */
  readonly budget: MemberBudget;
}

export class Content {
  private constructor(
    /** All of the file; of a recording that lies on disk, its beginning. */
    readonly bytes: Uint8Array,
    /** The client's name for the file, or the member's. */
    readonly name: string,
    /** Lower case, without the dot; "" when the name has none. */
    readonly extension: string,
    /** Lower case, without parameters; "" when none was declared. */
    readonly declaredMimeType: string,
    /** The whole file as text, or null when it is binary. */
    readonly decoded: DecodedText | null,
    readonly limits: ReadingLimits,
    readonly recognition: TextRecognition,
    private readonly standing: Standing,
    /** All of the file, a piece at a time. */
    readonly source: ByteSource,
  ) {}

  static async of(
    bytes: Uint8Array,
    name: string,
    declaredMimeType: string | null,
    limits: ReadingLimits,
    recognition: TextRecognition = plainRecognition,
    standing: Standing = {
      file: name,
      memberPath: null,
      depth: 0,
      budget: { members: 0, bytes: 0, pictures: 0, isSpent: false },
    },
    source: ByteSource = bytesSource(bytes),
  ): Promise<Content> {
    const declared = (declaredMimeType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
    return new Content(
      bytes,
      name,
      extensionOf(name),
      declared,
      await decodeText(bytes),
      limits,
      recognition,
      standing,
      source,
    );
  }

  /** A member of this container. `memberPath` is its whole path in the uploaded file; null where it is all there is of the file. */
  member(
    memberPath: string | null,
    name: string,
    bytes: Uint8Array,
    declaredMimeType: string | null,
  ): Promise<Content> {
    const { file, depth, budget } = this.standing;
    const standing = { file, memberPath, depth: depth + 1, budget };
    return Content.of(bytes, name, declaredMimeType, this.limits, this.recognition, standing);
  }

  get memberPath(): string | null {
    return this.standing.memberPath;
  }

  get depth(): number {
    return this.standing.depth;
  }

  get budget(): MemberBudget {
    return this.standing.budget;
  }

  /** Whether the file begins with these bytes. */
  startsWith(...magic: number[]): boolean {
    return magic.every((byte, index) => this.bytes[index] === byte);
  }

  /** An error about this file, or its member. `values` complete the sentence. */
  refused(
    code: "EMPTY_FILE" | "NO_TEXT" | "NO_OCR_LANGUAGE" | "NO_SPEECH_MODEL" | "UNSUPPORTED_FILE_TYPE",
    values: Record<string, string> = {},
  ): LecternError {
    const { file, memberPath } = this.standing;
    const named = memberPath === null ? file : `${file}/${memberPath}`;
    return fail(code, { file: named, ...values }, detailsOf(file, memberPath));
  }

  /** An UNREADABLE_FILE error for this file, or its member. The cause is for the log. */
  unreadable(reason: string, cause?: unknown): LecternError {
    return unreadable(this.standing.file, this.standing.memberPath, reason, cause);
  }

  /** The same for a member that cannot be unpacked. `memberPath` is its whole path in the uploaded file. */
  unreadableMember(memberPath: string, reason: string, cause?: unknown): LecternError {
    return unreadable(this.standing.file, memberPath, reason, cause);
  }

  /** The same for limits that hold for the file as a whole: no member is left out for them. */
  overLimit(reason: string): LecternError {
    this.budget.isSpent = true;
    return this.unreadable(reason);
  }

  /** The refusal of a file that holds more text than is read. */
  tooMuchText(): LecternError {
    return this.overLimit(`it holds more than ${this.limits.maxTextCharacters} characters of text`);
  }
}

function unreadable(file: string, memberPath: string | null, reason: string, cause: unknown): LecternError {
  const said = memberPath === null ? reason : `in its member "${memberPath}": ${reason}`;
  return fail("UNREADABLE_FILE", { file, reason: said }, detailsOf(file, memberPath), cause);
}

function detailsOf(file: string, memberPath: string | null): Record<string, string> {
  return memberPath === null ? { file } : { file, member: memberPath };
}

function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
}
