/** One customer's requests to a server under measurement. None is waited for without end. */

const DATASET = "bench";
const LONGEST_REQUEST = 120_000;

export interface SearchHit {
  readonly score: number;
  readonly pageContent: string;
  readonly metadata: { readonly fileId: string; readonly chunkIndex: number; readonly [key: string]: unknown };
}

export interface ListedFile {
  readonly fileId: string;
  readonly originalName: string;
  readonly datasetId: string;
  readonly permanentUrl?: string;
}

export interface Filter {
  readonly key: string;
  readonly match: {
    readonly value?: string | number | boolean;
    readonly any?: readonly (string | number | boolean)[];
    readonly not?: string | number | boolean;
    readonly range?: { readonly gte?: number; readonly lt?: number };
  };
}

/** What came back. Status 0: nothing did, because the connection broke or the time was up. */
export interface Answer {
  readonly status: number;
  /** The parsed body; an empty object where it is not JSON. */
  // Measurements look into bodies of every shape.
  readonly body: any;
  /** Whether the request was given up. */
  readonly isLate: boolean;
}

export interface CallOptions {
  /** Milliseconds until the request is given up. */
  readonly limit?: number;
}

export class Client {
  /** `address.url` may change: a server that is started again listens on another port. */
  constructor(
    protected readonly address: { url: string },
    protected key: string,
  ) {}

  get url(): string {
    return this.address.url;
  }

  /** Throws when the answer is not 200. */
  async search(question: string, filters?: readonly Filter[], datasetId = DATASET): Promise<SearchHit[]> {
    const { status, body } = await this.call("POST", "/v1/search", { datasetId, question, filters });
    if (status !== 200) throw new Error(`search answered ${status}: ${JSON.stringify(body)}`);
    return (body as { data: SearchHit[] }).data;
  }

  /** Uploads one file and returns its id. Throws when the answer is not 200. */
  async upload(name: string, text: string, fields: Record<string, string> = {}, datasetId = DATASET): Promise<string> {
    const { status, body } = await this.call(
      "POST",
      "/v1/files/upload",
      uploadForm({ datasetId, ...fields }, { [name]: text }),
    );
    if (status !== 200) throw new Error(`upload answered ${status}: ${JSON.stringify(body)}`);
    return (body as { files: ListedFile[] }).files[0]!.fileId;
  }

  /** Sends a form as it is, anything else as JSON. Never throws. */
  async call(
    method: string,
    path: string,
    content?: unknown,
    { limit = LONGEST_REQUEST }: CallOptions = {},
  ): Promise<Answer> {
    const signal = AbortSignal.timeout(limit);
    const body =
      content === undefined
        ? {}
        : content instanceof FormData
          ? { body: content }
          : { body: JSON.stringify(content), headers: { "content-type": "application/json" } };
    try {
      const response = await this.fetch(path, { method, signal, ...body });
      const text = await response.text();
      return { status: response.status, body: parse(text), isLate: false };
    } catch {
      return { status: 0, body: {}, isLate: signal.aborted };
    }
  }

  /** The bytes behind a file's download link, or what was answered instead. Never throws. */
  async download(
    fileId: string,
    { limit = LONGEST_REQUEST }: CallOptions = {},
  ): Promise<{ answer: Answer; bytes: Uint8Array | null }> {
    const answer = await this.call("GET", `/v1/files/${fileId}`, undefined, { limit });
    const link = answer.status === 200 ? (answer.body as { files: ListedFile[] }).files[0]?.permanentUrl : undefined;
    if (link === undefined) return { answer, bytes: null };
    const signal = AbortSignal.timeout(limit);
    try {
      const response = await fetch(link, { signal });
      if (response.status !== 200)
        return { answer: { status: response.status, body: parse(await response.text()), isLate: false }, bytes: null };
      return { answer, bytes: await response.bytes() };
    } catch {
      return { answer: { status: 0, body: {}, isLate: signal.aborted }, bytes: null };
    }
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.key}` },
    });
  }
}

export function uploadForm(
  fields: Record<string, string>,
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  for (const [name, content] of Object.entries(files)) form.append("file", new File([content], name));
  return form;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
