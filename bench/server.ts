/** The built executable, started for a measurement, and the few requests that measurements send. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/steps.ts";

export const executable = join(root, "dist/lectern");
const DATASET = "bench";

/** Limits lifted, so that the server is measured and not its rate windows. */
const environment = { ...process.env, LECTERN_RATE_UPLOAD: "1000000", LECTERN_RATE_RETRIEVAL: "100000000", LECTERN_SEARCH_RESULTS: "10", LECTERN_LOG_LEVEL: "warn" };

export interface SearchHit {
  readonly score: number;
  readonly pageContent: string;
  readonly metadata: { readonly fileId: string; readonly chunkIndex: number; readonly [key: string]: unknown };
}

export class BenchServer {
  /** Milliseconds from the start of the process to its line that says it is ready. */
  readyMilliseconds = 0;
  url = "";
  private process: Bun.Subprocess<"ignore", "pipe", "inherit"> | null = null;

  constructor(readonly directory = mkdtempSync(join(tmpdir(), "lectern-bench-")), private key = "") {}

  async start(extra: Record<string, string> = {}): Promise<this> {
    const started = performance.now();
    this.process = Bun.spawn([executable, "serve", "--data-dir", this.directory, "--port", "0"], { env: { ...environment, ...extra }, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
    let output = "";
    for await (const bytes of this.process.stdout.values({ preventCancel: true })) {
      output += new TextDecoder().decode(bytes);
      const url = /http:\/\/\S+/.exec(output.slice(output.indexOf("ready")))?.[0];
      if (!output.includes("ready") || !url) continue;
      this.url = url;
      break;
    }
    this.readyMilliseconds = performance.now() - started;
    if (!this.url) throw new Error(`the server did not start: ${output}`);
    this.key ||= /lk_[\w-]{43}/.exec(output)?.[0] ?? (await this.createKey());
    return this;
  }

  /** For a data directory that was kept from an earlier run. */
  private async createKey(): Promise<string> {
    const command = Bun.spawn([executable, "key", "create", "--customer", "default", "--data-dir", this.directory, "--json"], { stdout: "pipe", stderr: "inherit" });
    return ((await new Response(command.stdout).json()) as { apiKey: string }).apiKey;
  }

  get pid(): number {
    return this.process!.pid;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.process?.kill(signal);
    await this.process?.exited;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Resident memory, megabytes. */
  residentMegabytes(): { total: number; anonymous: number } {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024;
    return { total: read("VmRSS"), anonymous: read("RssAnon") };
  }

  async search(question: string, filters?: { key: string; match: { value: string | number | boolean } }[], datasetId = DATASET): Promise<SearchHit[]> {
    const response = await this.fetch("/v1/search", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ datasetId, question, filters }) });
    const body = (await response.json()) as { data: SearchHit[] };
    if (response.status !== 200) throw new Error(`search answered ${response.status}: ${JSON.stringify(body)}`);
    return body.data;
  }

  /** Uploads one file and returns its id. */
  async upload(name: string, text: string, fields: Record<string, string> = {}, datasetId = DATASET): Promise<string> {
    const form = new FormData();
    form.set("datasetId", datasetId);
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set("file", new File([text], name));
    const response = await this.fetch("/v1/files/upload", { method: "POST", body: form });
    const body = (await response.json()) as { files: { fileId: string }[] };
    if (response.status !== 200) throw new Error(`upload answered ${response.status}: ${JSON.stringify(body)}`);
    return body.files[0]!.fileId;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, { ...init, headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.key}` } });
  }
}

/** Runs `work` for each item with so many at a time; returns each one's milliseconds. */
export async function timed<Item>(items: readonly Item[], clients: number, work: (item: Item, index: number) => Promise<unknown>): Promise<number[]> {
  const milliseconds: number[] = [];
  let next = 0;
  await Promise.all(Array.from({ length: clients }, async () => {
    for (let index = next++; index < items.length; index = next++) {
      const started = performance.now();
      await work(items[index]!, index);
      milliseconds.push(performance.now() - started);
    }
  }));
  return milliseconds;
}
