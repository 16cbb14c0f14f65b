/** A Lectern server reached over HTTP, waiting whenever the server asks for it. */
import { basename } from "node:path";
import { untilReady } from "./background-upload.ts";
import type { OwnersNames } from "../files/index.ts";
import type { DocumentService, FoundPassage, LocalFile, SearchRequest, UploadRequest } from "./document-service.ts";
import { httpDocuments } from "./http-documents.ts";
import { OutcomeUnknown, RefusedByServer } from "./http-error.ts";
import { readAnswer } from "./http-query.ts";
import { networkReason } from "./network-error.ts";
import { pause } from "./pause.ts";
import type { ServerTrust } from "./server-trust.ts";
import { systemReason } from "./system-error.ts";

/** How often one request is sent again before its refusal counts. A full minute window passes in one or two. */
const MOST_ATTEMPTS = 100;
const LONGEST_WAIT_SECONDS = 60;
/** Statuses after which the same request may fare better. */
const WAITS_FOR: readonly number[] = [429, 503];

export interface HttpServiceOptions {
  /** Origin, with or without `/v1`. */
  readonly url: string;
  /** Gives the credential for the next request: an API key, or an operator token that is renewed in time. */
  readonly credential: () => Promise<string>;
  /** Looked at for each request: a server may take up another certificate. */
  readonly trust: () => ServerTrust;
}

export function openHttpService(options: HttpServiceOptions): DocumentService {
  const origin = options.url.replace(/(\/v1)?\/*$/, "");
  const retrieve = (fields: SearchRequest & { stream?: true }, path: string): Promise<Response> => {
    const request = {
      method: "POST",
      body: JSON.stringify(fields),
      headers: { "content-type": "application/json" },
    } as const;
    return send(options, `${origin}${path}`, () => request, WAITS_FOR);
  };
  const documents = httpDocuments((method, path) => send(options, `${origin}${path}`, () => ({ method }), WAITS_FOR));
  return {
    ...documents,
    place: origin,
    async upload(request, signal) {
      // More files than the limit allows in a minute would be refused for ever.
      const waitsFor = request.files.length > 1 ? [503] : WAITS_FOR;
      const response = await send(
        options,
        `${origin}/v1/files/upload${request.inBackground ? "?async=true" : ""}`,
        () => ({ method: "POST", body: uploadForm(request) }),
        waitsFor,
        signal,
      );
      const body = (await response.json()) as Record<string, unknown>;
      const fileIds = (body.files as { fileId: string }[]).map(({ fileId }) => fileId);
      const { inBackground = false, onProgress = () => {} } = request;
      if (inBackground) for (const id of fileIds) await untilReady(() => documents.file(id), onProgress, signal);
      return fileIds;
    },
    async search(asked) {
      const { data } = (await (await retrieve(asked, "/v1/search")).json()) as { data?: FoundPassage[] };
      return data ?? [];
    },
    async query(asked) {
      const { body } = await retrieve({ ...asked, stream: true }, "/v1/query");
      return readAnswer(body ?? new Blob([]).stream());
    },
    close: async () => {},
  };
}

function uploadForm(request: UploadRequest): FormData {
  const form = new FormData();
  form.append("datasetId", request.datasetId);
  for (const field of ["extraMeta", "chunkSize", "chunkOverlap", "language", "ocrLanguages"] as const) {
    const value = request[field];
    if (value !== null && value !== undefined) form.append(field, value);
  }
  const { files } = request;
  if (files.length === 1) {
    const { externalId, relativePath } = files[0]!;
    if (externalId !== null) form.append("externalId", externalId);
    if (relativePath !== null) form.append("path", relativePath);
  } else {
    form.append("externalIds", byFileName(files, "externalId"));
    form.append("paths", byFileName(files, "relativePath"));
  }
  for (const { path } of files) form.append("file", Bun.file(path), basename(path));
  return form;
}

/** A JSON object of the files' names of one kind, where they have them. */
function byFileName(files: readonly LocalFile[], kind: keyof OwnersNames): string {
  const named = files.filter((file) => file[kind] !== null);
  return JSON.stringify(Object.fromEntries(named.map((file) => [basename(file.path), file[kind]])));
}

async function send(
  options: HttpServiceOptions,
  url: string,
  make: () => { method: string; body?: FormData | string; headers?: Record<string, string> },
  waitsFor: readonly number[],
  signal?: AbortSignal,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const { headers, ...request } = make();
    const response = await reach(url, {
      // The server itself limits how long it reads a file; a wait of minutes in its queue is no failure.
      timeout: false,
      tls: options.trust(),
      ...request,
      headers: { ...headers, authorization: `Bearer ${await options.credential()}` },
    });
    if (response.ok) return response;

    const refusal = (await response.json().catch(() => ({}))) as {
      message?: string;
      error?: string;
      retryAfter?: number;
    };
    const sentence = refusal.message ?? refusal.error ?? `The server answered with status ${response.status}.`;
    // Whatever lies between may give up waiting for a server that goes on.
    if (response.status >= 500 && response.status !== 503 && refusal.error === undefined)
      throw new OutcomeUnknown(sentence);
    if (!waitsFor.includes(response.status) || attempt >= MOST_ATTEMPTS)
      throw new RefusedByServer(response.status, sentence);
    const seconds = Number(response.headers.get("retry-after") ?? refusal.retryAfter ?? 1);
    const wait = Math.min(LONGEST_WAIT_SECONDS, Math.max(0.1, Number.isFinite(seconds) ? seconds : 1));
    await pause(wait, "the server", signal);
  }
}

/** Throws OutcomeUnknown when no answer comes, and what the system throws when a file to send cannot be read. */
async function reach(url: string, request: BunFetchRequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (systemReason(error) !== null) throw error;
    throw new OutcomeUnknown(`${new URL(url).origin} cannot be reached: ${networkReason(error)}`, error);
  }
}
