/** Files on their way to the server, one after the other, with how much of each has arrived. */
import { RequestError, refusal, sessionHeaders } from "./requests.ts";
import type { FilePage, StoredFile } from "./types.ts";
import { words } from "../words/index.ts";

export interface UploadRequest {
  readonly file: File;
  readonly fields: Readonly<Record<string, string>>;
  readonly customer: string | null;
  readonly signal: AbortSignal;
  /** 0-1. */
  readonly onProgress: (share: number) => void;
}

/** Waits that a server may ask for before it takes a file after all. */
const MOST_TRIES = 20;

/**
 * Sends one file, to be read in the background. Where the server is busy, or takes no more files this minute, it waits as long as that asks
 * for, and tries again. Throws RequestError.
 */
export async function uploadFile(upload: UploadRequest): Promise<StoredFile> {
  for (let tries = 1; ; tries++) {
    try {
      const form = new FormData();
      form.append("async", "true");
      for (const [name, value] of Object.entries(upload.fields)) form.append(name, value);
      form.append("file", upload.file, upload.file.name);
      const { files } = await sendBody<FilePage>("/v1/files/upload?async=true", form, upload);
      return files[0]!;
    } catch (error) {
      const wait = error instanceof RequestError && (error.status === 429 || error.status === 503) && error.retryAfter;
      if (wait === false || wait === null || tries >= MOST_TRIES) throw error;
      await waited(wait, upload.signal);
    }
  }
}

/** A POST with progress, which `fetch` does not tell. Throws RequestError. */
export function sendBody<Answer>(
  path: string,
  body: FormData | File,
  { customer, signal, onProgress }: Pick<UploadRequest, "customer" | "signal" | "onProgress">,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sending = new XMLHttpRequest();
  sending.open("POST", path);
  for (const [name, value] of Object.entries(sessionHeaders(customer))) sending.setRequestHeader(name, value);
  sending.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  sending.onload = () => {
    if (sending.status >= 200 && sending.status < 300) resolve(JSON.parse(sending.responseText) as Answer);
    else reject(refusal(sending.status, sending.responseText, sending.getResponseHeader("retry-after")));
  };
  sending.onerror = () => reject(new RequestError(0, "UNREACHABLE", words.errors.unreachable));
  sending.onabort = () => reject(new RequestError(0, "CANCELLED", words.upload.cancelled));
  signal.addEventListener("abort", () => sending.abort(), { once: true });
  if (signal.aborted) reject(new RequestError(0, "CANCELLED", words.upload.cancelled));
  else sending.send(body);
  return promise;
}

function waited(seconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1000);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    reject(new RequestError(0, "CANCELLED", words.upload.cancelled));
  });
  return promise;
}
