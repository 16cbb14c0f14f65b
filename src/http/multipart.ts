/**
 * Multipart uploads, streamed to disk: no file is ever held in memory whole, and a disk slower than the client slows the client.
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { fail, LecternError } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";
import { letOthersIn } from "../foundation/let-others-in.ts";
import type { StagedFile } from "../files/index.ts";
import { REPEATABLE_FIELDS } from "./field-names.ts";
import { checkEncoding } from "./json-body.ts";
import { tooLarge } from "./limits.ts";
import { partFileName } from "./part-file-name.ts";
import { ReceivingPace, type BodyReader, type PaceLimits } from "./receiving-pace.ts";

export interface MultipartLimits extends PaceLimits {
  /** Bytes. */
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

/** What may refuse a form while it comes; each throws the refusal. */
export interface Admission {
  /** Before a byte of the file is kept that is the `count`-th of the form. INSUFFICIENT_CREDITS is returned as the form's problem. */
  admitFile(count: number): void;
  /** Before bytes are written. */
  admitBytes(bytes: number): Promise<void>;
  /** Aborted with the refusal, at any time. */
  readonly signal: AbortSignal;
}

export interface ReceivedForm {
  readonly files: StagedFile[];
  /** How many file parts had begun. */
  readonly fileCount: number;
  readonly fields: ReadonlyMap<string, string>;
  /** Why the form could not be read to its end, or null. Then `files` and `fields` are incomplete. */
  readonly problem: LecternError | null;
}

const FILE_PARTS: ReadonlySet<string> = new Set(["file", "files"]);
/** What makes a form incomplete and still counts its files. */
const PROBLEMS: ReadonlySet<string> = new Set(["INVALID_REQUEST", "INSUFFICIENT_CREDITS"]);
/** For so long what comes is taken without a look at other requests. */
const TURN_MILLISECONDS = 2;
const CUT_OFF = "the multipart body is broken or cut off.";

/**
 * Receives a form's files into `directory`. Fields may come before, between or after the files.
 *
 * What is wrong with the form itself is returned as `problem` (INVALID_REQUEST, INSUFFICIENT_CREDITS), since the files seen until
 * then still count against the rate window. Throws PAYLOAD_TOO_LARGE for a file over the limit, REQUEST_TIMEOUT for a client that is
 * too slow, what `admission` throws, and what the connection throws when the client goes away.
 */
export async function receiveForm(
  request: Request,
  directory: string,
  limits: MultipartLimits,
  admission: Admission,
): Promise<ReceivedForm> {
  const receiver = new FormReceiver(directory, limits, admission);
  try {
    checkEncoding(request.headers);
    await receiver.read(request);
  } catch (error) {
    if (!(error instanceof LecternError) || !PROBLEMS.has(error.code)) throw error;
    return { ...receiver.received(), problem: error };
  }
  return { ...receiver.received(), problem: null };
}

class FormReceiver {
  private readonly files: StagedFile[] = [];
  private readonly fields = new Map<string, string>();
  private readonly writing: Promise<void>[] = [];
  private readonly open = new Set<BusboyFileStream>();
  private readonly failed = Promise.withResolvers<never>();
  private fileCount = 0;

  constructor(
    private readonly directory: string,
    private readonly limits: MultipartLimits,
    private readonly admission: Admission,
  ) {
    // Awaited only while the body is read; a failure after that has nobody left to tell.
    this.failed.promise.catch(() => {});
  }

  received(): Omit<ReceivedForm, "problem"> {
    return { files: this.files, fileCount: this.fileCount, fields: this.fields };
  }

  /** Reads the body to its end or its first failure. All files are closed when it returns or throws. */
  async read(request: Request): Promise<void> {
    if (request.body === null)
      throw fail("INVALID_REQUEST", { reason: "the body is empty; send multipart/form-data." });
    const parser = this.createParser(request.headers);
    const reader = request.body.getReader() as BodyReader;
    const { signal } = this.admission;
    signal.addEventListener("abort", () => this.failed.reject(signal.reason), { once: true });
    try {
      await Promise.race([this.pump(reader, parser), this.failed.promise]);
    } catch (error) {
      for (const stream of this.open) stream.destroy();
      await Promise.allSettled([...this.writing, reader.cancel()]);
      throw error;
    }
  }

  private async pump(reader: BodyReader, parser: BusboyInstance): Promise<void> {
    const finished = new Promise<void>((resolve) => parser.once("finish", resolve));
    const pace = new ReceivingPace(this.limits);
    let since = performance.now();
    for (;;) {
      const { done, value } = await pace.next(reader);
      if (done) break;
      // What has come already is given without a pause.
      if (performance.now() - since > TURN_MILLISECONDS) {
        await letOthersIn();
        since = performance.now();
      }
      const room = parser.write(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      if (!room) await new Promise<void>((resolve) => parser.once("drain", resolve));
    }
    parser.end();
    await finished;
    await Promise.all(this.writing);
  }

  private createParser(headers: Headers): BusboyInstance {
    const contentType = headers.get("content-type") ?? "";
    if (!/^multipart\/form-data\s*;/i.test(contentType))
      throw fail("INVALID_REQUEST", { reason: "the body is not multipart/form-data with a boundary." });
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { "content-type": contentType } as BusboyHeaders,
        limits: {
          fileSize: this.limits.maxFileBytes,
          files: this.limits.maxFiles,
          fieldSize: fieldLimits.form.maxFieldBytes,
          fields: fieldLimits.form.maxFields,
          headerPairs: 50,
          headerSize: 16 * 1024,
        },
      });
    } catch (error) {
      throw fail(
        "INVALID_REQUEST",
        { reason: "the body is not multipart/form-data with a boundary." },
        undefined,
        error,
      );
    }
    parser.on("error", (error) => this.reject(CUT_OFF, error));
    parser.on("filesLimit", () => this.reject(`it holds more than ${this.limits.maxFiles} files.`));
    parser.on("fieldsLimit", () => this.reject(`it holds more than ${fieldLimits.form.maxFields} fields.`));
    parser.on("field", (name, value, _nameTruncated, valueTruncated) =>
      this.acceptField(name, value, valueTruncated && name !== "extraMeta"),
    );
    parser.on("file", (name, stream, fileName, _encoding, mimeType) =>
      this.acceptFile(name, stream, fileName, mimeType),
    );
    return parser;
  }

  private acceptField(name: string | undefined, value: string, isTruncated: boolean): void {
    if (name === undefined) this.reject("a part has no name.");
    else if (isTruncated) this.reject("a field's value is too long.");
    else if (REPEATABLE_FIELDS.has(name) && this.fields.has(name))
      this.fields.set(name, `${this.fields.get(name)},${value}`);
    else if (this.fields.has(name)) this.reject(`the field ${JSON.stringify(name)} occurs twice.`);
    else this.fields.set(name, value);
  }

  private acceptFile(
    name: string | undefined,
    stream: BusboyFileStream,
    givenName: string | undefined,
    mimeType: string,
  ): void {
    const originalName = partFileName(givenName ?? "");
    this.open.add(stream);
    stream.on("error", (error: unknown) => this.reject(CUT_OFF, error));
    this.fileCount++;
    if (name === undefined || !FILE_PARTS.has(name))
      return this.reject(`a file came as part ${JSON.stringify(name ?? "")}; name it "file".`);
    stream.on("limit", () => this.failed.reject(tooLarge(`The file "${originalName}"`, this.limits.maxFileBytes)));
    if (originalName.length > fieldLimits.fileName.maxLength) return this.reject("a file's name is too long.");
    try {
      this.admission.admitFile(this.fileCount);
    } catch (error) {
      return this.failed.reject(error);
    }
    const index =
      this.files.push({
        path: join(this.directory, String(this.files.length)),
        originalName,
        declaredMimeType: mimeType || null,
        size: 0,
        sha256: "",
      }) - 1;
    const writing = this.save(stream, index).catch((error: unknown) => this.failed.reject(error));
    this.writing.push(writing);
  }

  private async save(stream: BusboyFileStream, index: number): Promise<void> {
    const file = this.files[index]!;
    const handle = await open(file.path, "wx", 0o600);
    try {
      let size = 0;
      const hash = createHash("sha256");
      for await (const chunk of stream) {
        size += (chunk as Buffer).byteLength;
        hash.update(chunk as Buffer);
        await this.keep(handle, chunk as Buffer).catch((error: unknown) => {
          // Told before the loop is left: that destroys the stream, which would report a broken form, the client's fault.
          this.failed.reject(error);
          throw error;
        });
      }
      this.files[index] = { ...file, size, sha256: hash.digest("hex") };
    } finally {
      this.open.delete(stream);
      await handle.close();
    }
  }

  private async keep(handle: WritableFile, bytes: Uint8Array): Promise<void> {
    await this.admission.admitBytes(bytes.byteLength);
    await writeAll(handle, bytes);
  }

  private reject(reason: string, cause?: unknown): void {
    this.failed.reject(fail("INVALID_REQUEST", { reason }, undefined, cause));
  }
}

interface WritableFile {
  write(buffer: Uint8Array, offset: number): Promise<{ bytesWritten: number }>;
}

/** A single write may take less than it was given. */
async function writeAll(handle: WritableFile, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.byteLength; ) written += (await handle.write(bytes, written)).bytesWritten;
}
