/** The interface of a Lectern server, one method for each of its operations. */
import { bytesOf } from "./body-reader.ts";
import { openDownload, type Download, type DownloadOptions } from "./download.ts";
import { LecternError, refusalInStream } from "./error.ts";
import { serverSentEvents } from "./events.ts";
import { formBody } from "./form.ts";
import { Listing } from "./listing.ts";
import { isRefusedForNow, pause } from "./retry.ts";
import { requestIdOf, segment, Transport, type CallOptions, type Plan } from "./transport.ts";
import { partOf, type UploadFile } from "./upload-file.ts";
import type {
  Dataset,
  DatasetList,
  FileEnvelope,
  PassageList,
  QueryAnswer,
  QueryRequest,
  QueryResponse,
  RetrievalRequest,
  SearchResponse,
  SearchResult,
  StoredFile,
  TokenRequest,
  TokenResponse,
} from "./types.generated.ts";
import { uploadFields, type UploadFields } from "./upload-fields.ts";

export interface LecternOptions {
  /** Of the server, with or without `/v1`. */
  readonly url: string;
  /** An API key, or a frontend token; or a function that gives one for each request, for tokens that are renewed. */
  readonly key: string | (() => string | Promise<string>);
  /** Milliseconds until an answer must be there; 60,000. 0: no limit. Uploads have none, queries five minutes, unless a call says otherwise. */
  readonly timeout?: number;
  /** Milliseconds without a byte of a download or stream after which it counts as cut; 60,000. 0: no limit. */
  readonly idleTimeout?: number;
  /** How often a request is sent again at most; 5. */
  readonly retries?: number;
  /** Milliseconds that a repetition is waited for at most; 60,000. Where the server asks for more, its refusal is thrown. */
  readonly longestWait?: number;
  /** In place of the global one: for a proxy, a certificate of your own, or tests. */
  readonly fetch?: typeof fetch;
}

export interface UploadOptions extends UploadFields, CallOptions {
  /** Answered as soon as the files are kept; `waitUntilReady` waits for the rest. */
  readonly async?: boolean | undefined;
}

export interface ListOptions extends CallOptions {
  /** Items on a page; 100, at most 1000. */
  readonly limit?: number | undefined;
}

export interface ListFilesOptions extends ListOptions {
  /** Only files whose originalName is exactly this. */
  readonly name?: string | undefined;
  /** Only the file that its owner calls so. */
  readonly externalId?: string | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Milliseconds between two looks; 1000. */
  readonly interval?: number;
  /** Told after each look at a file that is not ready: how much of a scan or recording has been recognised, 0 to 1, and 0 of others. */
  readonly onProgress?: (file: StoredFile) => void;
}

export interface PassageOptions extends CallOptions {
  /** Number of the first passage, from 0; `chunkIndex` of a result is one. */
  readonly from?: number | undefined;
  /** Passages at most; 20, at most 100. */
  readonly limit?: number | undefined;
}

export type Passage = PassageList["data"][number];
export type Answer = QueryAnswer;
export type Question = Omit<RetrievalRequest, "datasetId"> & { datasetId?: string | null };
export type SubtitleFormat = "srt" | "vtt";
export interface Token {
  readonly token: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** What comes of a streamed answer: its sources first, then its words, then its end. */
export type QueryEvent =
  | { readonly type: "sources"; readonly sources: SearchResult[] }
  | { readonly type: "token"; readonly text: string }
  | ({ readonly type: "done" } & Pick<Answer, "model" | "usage">);

const MINUTE = 60_000;
/** A language model reads thousands of tokens before its first word. */
const QUERY_TIMEOUT = 5 * MINUTE;
/** A server that is started anew goes on with what it has accepted: it is waited for longer than anything else. */
const RETRIES_WHILE_WAITING = 20;

/**
 * Every method throws LecternError, or the reason of the call's own signal. Which of them are sent again by themselves, and when, is in
 * the README.
 */
export class Lectern {
  readonly #transport: Transport;

  /** Throws TypeError for an address or key that can be none. */
  constructor(options: LecternOptions) {
    const { url, key, timeout = MINUTE, idleTimeout = MINUTE, retries = 5, longestWait = MINUTE } = options;
    // Called as a function of nothing: browsers refuse their own fetch as somebody's method.
    const ask: typeof fetch = options.fetch ?? (((...request) => globalThis.fetch(...request)) as typeof fetch);
    this.#transport = new Transport({
      url,
      key,
      timeout,
      idleTimeout,
      retries,
      longestWait,
      fetch: ask,
    });
  }

  /**
   * Stores and indexes files, all or none; with `async`, they are read later, each by itself. It has no time limit of its own. Sent again where
   * the server refused it for now, and where its outcome is not known if every file has an externalId, which makes doing it twice as good
   * as once.
   */
  async upload(
    files: UploadFile | File | readonly (UploadFile | File)[],
    options: UploadOptions = {},
  ): Promise<StoredFile[]> {
    const { signal, timeout = 0, retries, async: isAsync, ...given } = options;
    const asked = [files].flat().map((file) => (isPlatformFile(file) ? { name: file.name, content: file } : file));
    const fields = uploadFields(given, asked);
    const parts = asked.map(partOf);
    const { files: stored } = await this.#transport.json<FileEnvelope>({
      method: "POST",
      path: "/v1/files/upload",
      query: { async: isAsync ? true : undefined },
      body: () => formBody(fields, parts),
      repeatable: parts.some(({ isReadOnce }) => isReadOnce)
        ? "never"
        : asked.every(({ externalId }) => externalId !== undefined)
          ? "always"
          : "refused",
      signal,
      timeout,
      retries,
    });
    return stored;
  }

  /**
   * Resolves to the files, in the same order, once searches find all of them. Throws LecternError with the code and sentence of a file that
   * cannot be read. A server that is restarted meanwhile is waited for.
   */
  async waitUntilReady(
    files: readonly (string | Pick<StoredFile, "fileId">)[],
    options: WaitOptions = {},
  ): Promise<StoredFile[]> {
    const { interval = 1000, onProgress = () => {}, retries = RETRIES_WHILE_WAITING, ...call } = options;
    const ready: StoredFile[] = [];
    for (const asked of files) {
      const fileId = typeof asked === "string" ? asked : asked.fileId;
      for (;;) {
        const file = await this.getFile(fileId, { ...call, retries });
        if (file.status === "failed") throw unreadable(file);
        if (file.status !== "processing") {
          ready.push(file);
          break;
        }
        onProgress(file);
        await pause(interval, call.signal);
      }
    }
    return ready;
  }

  /** The files of a dataset, newest first; with a frontend token, `datasetId` may be left out. */
  listFiles(datasetId: string | undefined, options: ListFilesOptions = {}): Listing<StoredFile> {
    const { limit = 100, name, externalId, ...call } = options;
    return new Listing(async (cursor) => {
      const query = { datasetId, limit, name, externalId, cursor };
      const page = await this.#read<FileEnvelope>("/v1/files", query, call);
      return { items: page.files, nextCursor: page.nextCursor ?? null };
    });
  }

  /** A file's details, with `permanentUrl`, which needs no key. */
  async getFile(fileId: string, options: CallOptions = {}): Promise<StoredFile> {
    const { files } = await this.#read<FileEnvelope>(filePath(fileId), {}, options);
    return files[0]!;
  }

  /** The file's bytes. A connection that is cut is gone on with by itself. */
  download(fileId: string, options: DownloadOptions = {}): Promise<Download> {
    return openDownload(this.#transport, `${filePath(fileId)}/content`, options);
  }

  /** What a download would be told first. */
  headFile(fileId: string, options: CallOptions = {}): Promise<{ size: number | null; type: string }> {
    const plan: Plan = { method: "HEAD", path: `${filePath(fileId)}/content`, repeatable: "always", ...options };
    return this.#transport.send(plan, ({ headers }) => ({
      size: headers.has("content-length") ? Number(headers.get("content-length")) : null,
      type: headers.get("content-type") ?? "application/octet-stream",
    }));
  }

  /** What is said in a recording, or stands in a file of subtitles. */
  getSubtitles(fileId: string, format: SubtitleFormat = "srt", options: CallOptions = {}): Promise<string> {
    const plan: Plan = {
      method: "GET",
      path: `${filePath(fileId)}/subtitles`,
      query: { format },
      repeatable: "always",
      ...options,
    };
    return this.#transport.send(plan, (response) => response.text());
  }

  /** A file's passages in their order, and how many it has. */
  async getPassages(fileId: string, options: PassageOptions = {}): Promise<{ passages: Passage[]; total: number }> {
    const { from, limit, ...call } = options;
    const { data, total } = await this.#read<PassageList>(`${filePath(fileId)}/passages`, { from, limit }, call);
    return { passages: data, total };
  }

  /** What was deleted. Where the answer to a first try was lost, that may be nothing. */
  async deleteFile(fileId: string, options: CallOptions = {}): Promise<StoredFile[]> {
    return this.#delete(filePath(fileId), {}, options, "FILE_NOT_FOUND");
  }

  /** All files of a dataset. */
  async deleteDataset(datasetId: string, options: CallOptions = {}): Promise<StoredFile[]> {
    return this.#delete(datasetPath(datasetId), {}, options);
  }

  /** The file of a dataset that its owner calls so. */
  async deleteByExternalId(datasetId: string, externalId: string, options: CallOptions = {}): Promise<StoredFile[]> {
    return this.#delete(datasetPath(datasetId), { externalId }, options, "FILE_NOT_FOUND");
  }

  /** Every file of the customer; with a frontend token, of its dataset. */
  async deleteEverything(options: CallOptions = {}): Promise<StoredFile[]> {
    return this.#delete("/v1/files", {}, options);
  }

  /** The datasets that hold files, ordered by id. */
  listDatasets(options: ListOptions = {}): Listing<Dataset> {
    const { limit = 100, ...call } = options;
    return new Listing(async (cursor) => {
      const { data, nextCursor } = await this.#read<DatasetList>("/v1/datasets", { limit, cursor }, call);
      return { items: data, nextCursor };
    });
  }

  /** The passages nearest to a question, best first. */
  async search(question: Question, options: CallOptions = {}): Promise<SearchResult[]> {
    const plan: Plan = { method: "POST", path: "/v1/search", json: question, repeatable: "always", ...options };
    return (await this.#transport.json<SearchResponse>(plan)).data;
  }

  /** An answer from the documents, with its sources. */
  async query(question: Question, options: CallOptions = {}): Promise<Answer> {
    const json: QueryRequest = { ...question, stream: false };
    const plan: Plan = {
      method: "POST",
      path: "/v1/query",
      json,
      repeatable: "always",
      timeout: QUERY_TIMEOUT,
      ...options,
    };
    return (await this.#transport.json<QueryResponse>(plan)).data;
  }

  /**
   * The same, as it is written. Ended early, it ends the answer. Sent again only as long as nothing of it has come; throws LecternError
   * where it breaks off.
   */
  async *queryStream(question: Question, options: CallOptions = {}): AsyncGenerator<QueryEvent, undefined> {
    const { signal } = options;
    const stop = new AbortController();
    const json: QueryRequest = { ...question, stream: true };
    try {
      const response = await this.#transport.send(
        {
          method: "POST",
          path: "/v1/query",
          json,
          headers: { accept: "text/event-stream" },
          repeatable: "always",
          timeout: QUERY_TIMEOUT,
          ...options,
          signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
        },
        (answer) => answer,
      );
      for await (const { event, data } of serverSentEvents(bytesOf(response, this.#transport.idleTimeout, signal))) {
        const read: unknown = JSON.parse(data);
        if (event === "sources") yield { type: "sources", sources: read as SearchResult[] };
        else if (event === "token") yield { type: "token", text: (read as { text: string }).text };
        else if (event === "error") throw refusalInStream(read, requestIdOf(response));
        else if (event === "done") {
          yield { type: "done", ...(read as Pick<Answer, "model" | "usage">) };
          return;
        }
      }
      throw new LecternError("The answer broke off before its end.", {
        code: "BROKEN_OFF",
        status: 0,
        requestId: requestIdOf(response),
      });
    } finally {
      stop.abort();
    }
  }

  /** A frontend token for one dataset; needs an API key. */
  async createToken(request: TokenRequest, options: CallOptions = {}): Promise<Token> {
    const plan: Plan = { method: "POST", path: "/v1/tokens/create", json: request, repeatable: "always", ...options };
    const { token, expiresIn } = await this.#transport.json<TokenResponse>(plan);
    return { token, expiresIn };
  }

  #read<Value>(path: string, query: Plan["query"] & object, options: CallOptions): Promise<Value> {
    return this.#transport.json<Value>({ method: "GET", path, query, repeatable: "always", ...options });
  }

  /** `gone`: the code that says, after a try whose outcome nobody knows, that this try did it. */
  async #delete(
    path: string,
    query: Plan["query"] & object,
    options: CallOptions,
    gone?: string,
  ): Promise<StoredFile[]> {
    let isOutcomeUnknown = false;
    const onRepeat = (failure: LecternError): void => {
      isOutcomeUnknown ||= !isRefusedForNow(failure);
    };
    try {
      const plan: Plan = { method: "DELETE", path, query, repeatable: "always", onRepeat, ...options };
      return (await this.#transport.json<FileEnvelope>(plan)).files;
    } catch (error) {
      if (isOutcomeUnknown && error instanceof LecternError && error.code === gone) return [];
      throw error;
    }
  }
}

const filePath = (fileId: string): string => `/v1/files/${segment(fileId, "fileId")}`;
const datasetPath = (datasetId: string): string => `/v1/datasets/${segment(datasetId, "datasetId")}/files`;

const isPlatformFile = (file: UploadFile | File): file is File => file instanceof Blob;

function unreadable({ error, originalName }: StoredFile): LecternError {
  return new LecternError(error?.message ?? `${JSON.stringify(originalName)} could not be read.`, {
    code: error?.code ?? "UNREADABLE_FILE",
    // What an upload that is waited for would have been answered.
    status: 400,
    details: { file: originalName },
  });
}
