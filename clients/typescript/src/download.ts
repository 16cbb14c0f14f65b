/** A stored file's bytes, gone on with where a connection ends too early: a file never changes under its id. */
import { bytesOf } from "./body-reader.ts";
import { LecternError } from "./error.ts";
import { pause, waitBefore } from "./retry.ts";
import { requestIdOf, type CallOptions, type Transport } from "./transport.ts";

export interface DownloadOptions extends CallOptions {
  /** The first byte that is wanted, from 0. */
  readonly start?: number | undefined;
  /** The byte behind the last that is wanted. */
  readonly end?: number | undefined;
}

export interface Download extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  /** Bytes that are to come; null where the server or a proxy does not tell. */
  readonly size: number | null;
  readonly type: string;
  /** Can be read once, as can all of the following. */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
  blob(): Promise<Blob>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  text(): Promise<string>;
}

/** Resolves when the first answer's head is there. Throws LecternError, as reading does. */
export async function openDownload(transport: Transport, path: string, options: DownloadOptions): Promise<Download> {
  const { start = 0, end } = options;
  if (!Number.isSafeInteger(start) || start < 0 || (end !== undefined && (!Number.isSafeInteger(end) || end <= start)))
    throw new RangeError("start and end must be whole numbers, 0 <= start < end.");
  const ask = (from: number): Promise<Response> =>
    transport.send(
      {
        method: "GET",
        path,
        repeatable: "always",
        ...options,
        ...((from > 0 || end !== undefined) && {
          headers: { range: `bytes=${from}-${end === undefined ? "" : end - 1}` },
        }),
      },
      (response) => {
        if (response.status !== (from > 0 || end !== undefined ? 206 : 200)) throw wrongPart(response);
        return response;
      },
    );
  const first = await ask(start);
  const size = lengthOf(first);
  const chunks = readOn(transport, first, { start, size, ask, options });
  return {
    size,
    type: first.headers.get("content-type") ?? "application/octet-stream",
    [Symbol.asyncIterator]: () => chunks,
    stream: () =>
      new ReadableStream({
        async pull(controller) {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        async cancel() {
          await chunks.return(undefined);
        },
      }),
    blob: () => wholeOf(chunks, first),
    bytes: async () => new Uint8Array(await (await wholeOf(chunks, first)).arrayBuffer()),
    text: async () => (await wholeOf(chunks, first)).text(),
  };
}

interface Course {
  readonly start: number;
  readonly size: number | null;
  readonly ask: (from: number) => Promise<Response>;
  readonly options: DownloadOptions;
}

/** As many cuts in a row as repetitions are allowed; what came in between counts anew. */
async function* readOn(
  { idleTimeout, retryOptions }: Transport,
  first: Response,
  { start, size, ask, options: { signal, retries = retryOptions.retries } }: Course,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let received = 0;
  let response = first;
  for (let cuts = 0; ; ) {
    try {
      for await (const bytes of bytesOf(response, idleTimeout, signal)) {
        received += bytes.length;
        cuts = 0;
        yield bytes;
      }
      if (size === null || received >= size) return;
      throw new LecternError(`The download broke off after ${received} of ${size} bytes.`, {
        code: "BROKEN_OFF",
        status: 0,
        requestId: requestIdOf(response),
      });
    } catch (error) {
      if (!(error instanceof LecternError)) throw error;
      if (size !== null && received >= size) return;
      const wait = waitBefore(++cuts, error, "always", { ...retryOptions, retries });
      if (wait === null) throw error;
      await pause(wait, signal);
      response = await ask(start + received);
    }
  }
}

async function wholeOf(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>, { headers }: Response): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const bytes of chunks) parts.push(bytes);
  return new Blob(parts, { type: headers.get("content-type") ?? "application/octet-stream" });
}

function lengthOf({ headers }: Response): number | null {
  const length = headers.get("content-length");
  // Of a compressed answer it would be another.
  return length === null || headers.has("content-encoding") ? null : Number(length);
}

const wrongPart = (response: Response): LecternError =>
  new LecternError(`The part that was asked for was answered with status ${response.status}.`, {
    code: "UNEXPECTED_ANSWER",
    status: response.status,
    requestId: requestIdOf(response),
  });
