/** What an upload takes, in each of the forms that a program has it in. */

/** Read anew for each time that it is called. */
export type OpenContent = () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;

export interface UploadFile {
  /** With its ending: where the content could be several things, it decides. */
  readonly name: string;
  /**
   * A stream is read while it is sent, and only once: an upload that holds one is never sent again. A function that opens a stream
   * can be called again.
   */
  readonly content:
    | string
    | Uint8Array<ArrayBuffer>
    | Blob
    | ReadableStream<Uint8Array>
    | AsyncIterable<Uint8Array>
    | OpenContent;
  /** Bytes, where the content does not tell. */
  readonly size?: number | undefined;
  readonly type?: string | undefined;
  /** What its owner calls it: the upload takes the place of the dataset's file of this name. */
  readonly externalId?: string | undefined;
  /** Where it lies for its owner, relative, with `/` between folders. */
  readonly path?: string | undefined;
}

/** A file ready to be sent. */
export interface Part {
  readonly name: string;
  readonly type: string;
  /** null: it is only known when all of it was read. */
  readonly size: number | null;
  readonly isReadOnce: boolean;
  /** Where the platform itself can read it bit by bit. */
  readonly blob: Blob | null;
  readonly open: OpenContent;
}

/** Throws TypeError for content of no kind that can be sent. */
export function partOf({ name, content, size, type }: UploadFile): Part {
  const blob = typeof content === "string" || content instanceof Uint8Array ? new Blob([content]) : content;
  const given = { name, type: type || (blob instanceof Blob && blob.type) || "application/octet-stream" };
  if (blob instanceof Blob)
    return { ...given, size: blob.size, isReadOnce: false, blob, open: () => iterate(blob.stream()) };
  const declared = { ...given, size: size ?? null, blob: null };
  if (typeof blob === "function") return { ...declared, isReadOnce: false, open: blob };
  if (blob instanceof ReadableStream) return { ...declared, isReadOnce: true, open: () => iterate(blob) };
  if (typeof blob === "object" && blob !== null && Symbol.asyncIterator in blob)
    return { ...declared, isReadOnce: true, open: () => blob };
  throw new TypeError(
    `The content of ${JSON.stringify(name)} must be text, bytes, a Blob, a stream or a function that opens one.`,
  );
}

/** Browsers of today do not all iterate streams by themselves. */
async function* iterate(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Of no effect on a stream that was read to its end.
    await reader.cancel().catch(() => {});
  }
}
