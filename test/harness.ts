/** A real Lectern for tests: its engines in a temporary data directory, spoken to over HTTP on a free port. */
import { setDefaultTimeout } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAppliance, type Appliance } from "../src/appliance/index.ts";
import { loadConfig } from "../src/options/config.ts";
import { startServer, type RunningServer } from "../src/http/server.ts";
import { Service } from "../src/http/service.ts";
import { createLog } from "../src/foundation/log.ts";

// Starting a server, or waiting for the next minute, takes longer than Bun's five seconds on a busy machine.
setDefaultTimeout(60_000);

export interface TestCustomer {
  readonly customerId: string;
  readonly key: string;
}

export interface Call {
  /** API key or token, sent as `Authorization: Bearer`. */
  readonly key?: string;
  /** Sent as a JSON body. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | FormData | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  // Tests look into bodies of every shape.
  readonly body: any;
}

export interface TestServer {
  readonly url: string;
  readonly directory: string;
  readonly appliance: Appliance;
  /** Lines of the server's log. */
  readonly logLines: string[];
  /** A new customer with one key; `credits` in whole credits, without them unlimited. */
  customer(credits?: number): TestCustomer;
  call(method: string, path: string, call?: Call): Promise<Reply>;
  /** Uploads texts by file name; throws unless it is answered 200. Resolves to the ids. */
  upload(
    key: string,
    datasetId: string,
    files: Record<string, string>,
    fields?: Record<string, string>,
  ): Promise<string[]>;
  search(key: string, datasetId: string, question: string, more?: Record<string, unknown>): Promise<Reply>;
  /** Stops the server and leaves its data directory, until `restart`. */
  stopServer(): Promise<void>;
  /** Stops the server and opens the same data directory again. */
  restart(flags?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

/** `flags` are options as on the command line, without dashes. */
export async function startLectern(flags: Record<string, string> = {}): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), "lectern-test-"));
  const logLines: string[] = [];
  let running = await open(directory, flags, logLines);
  let isOpen = true;
  let customers = 0;

  async function closeOnce(): Promise<void> {
    if (isOpen) await close(running);
    isOpen = false;
  }

  const server: TestServer = {
    get url() {
      return running.server.url;
    },
    get appliance() {
      return running.appliance;
    },
    directory,
    logLines,
    customer(credits) {
      const customerId = `customer-${++customers}-${crypto.randomUUID().slice(0, 8)}`;
      running.appliance.access.createCustomer(customerId, credits === undefined ? null : credits * 1000);
      return { customerId, key: running.appliance.access.createApiKey(customerId, "test").apiKey };
    },
    call: (method, path, call = {}) => send(`${running.server.url}${path}`, method, call),
    async upload(key, datasetId, files, fields = {}) {
      const reply = await server.call("POST", "/v1/files/upload", {
        key,
        body: uploadForm({ datasetId, ...fields }, files),
      });
      if (reply.status !== 200) throw new Error(`The upload was answered ${reply.status}: ${reply.text}`);
      return reply.body.files.map((file: { fileId: string }) => file.fileId);
    },
    search: (key, datasetId, question, more = {}) =>
      server.call("POST", "/v1/search", { key, json: { datasetId, question, ...more } }),
    stopServer: closeOnce,
    async restart(newFlags = flags) {
      await closeOnce();
      running = await open(directory, newFlags, logLines);
      isOpen = true;
    },
    async stop() {
      await closeOnce();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return server;
}

export function uploadForm(
  fields: Record<string, string>,
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of Object.entries(files)) form.append("file", new File([content], name));
  return form;
}

interface Running {
  readonly appliance: Appliance;
  readonly server: RunningServer;
}

async function open(directory: string, flags: Record<string, string>, logLines: string[]): Promise<Running> {
  const config = loadConfig({
    flags: {
      "data-dir": directory,
      port: "0",
      "embed-threads": "1",
      "reserve-file-bytes": "1MiB",
      "access-log": "off",
      ...flags,
    },
    environment: {},
  });
  const log = createLog({ level: "info", format: "text", write: (line) => logLines.push(line) });
  const appliance = await openAppliance(config, log);
  const server = startServer(new Service(appliance, config), config);
  appliance.announce(server.url);
  appliance.startUploadJobs();
  return { appliance, server };
}

async function close({ appliance, server }: Running): Promise<void> {
  await server.stop(5);
  await appliance.close();
}

async function send(url: string, method: string, { key, json, body, headers, signal }: Call): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
    ...(signal && { signal }),
    redirect: "manual",
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One rule of the interface: what is asked, and what the answer must and must not hold. */
export interface Rule {
  readonly rule: string;
  readonly method?: string;
  readonly path?: string;
  readonly call: Call;
  readonly status: number;
  /** The whole body. */
  readonly body?: unknown;
  /** Fragments of the body. */
  readonly holds?: readonly string[];
  readonly lacks?: readonly string[];
}

/** Never in any answer: traces of code, of the machine, or of a database. */
export const FORBIDDEN = ["    at ", "node_modules", ".ts:", "SQLITE", "/tmp/"];

/** Fails unless the reply is as the rule says. */
export function check(reply: Reply, { status, body, holds = [], lacks = [] }: Rule): void {
  const seen = `${reply.status} ${reply.text.slice(0, 500)}`;
  if (reply.status !== status) throw new Error(`expected status ${status}, got ${seen}`);
  if (body !== undefined && !Bun.deepEquals(reply.body, body))
    throw new Error(`expected body ${JSON.stringify(body)}, got ${seen}`);
  for (const fragment of holds)
    if (!reply.text.includes(fragment)) throw new Error(`expected ${JSON.stringify(fragment)} in ${seen}`);
  for (const fragment of [...lacks, ...FORBIDDEN])
    if (reply.text.includes(fragment)) throw new Error(`did not expect ${JSON.stringify(fragment)} in ${seen}`);
}

/** Waits for the next minute when less than `seconds` of this one are left: for tests that count in rate windows. */
export async function roomInMinute(seconds: number): Promise<void> {
  const left = 60 - ((Date.now() / 1000) % 60);
  if (left < seconds) await Bun.sleep(left * 1000 + 50);
}

/** Waits until a condition holds; throws when it does not within so many milliseconds. Returns how many it took. */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds: number): Promise<number> {
  const started = performance.now();
  while (!(await condition())) {
    if (performance.now() - started > milliseconds)
      throw new Error(`It did not come true within ${milliseconds} ms: ${condition}`);
    await Bun.sleep(2);
  }
  return performance.now() - started;
}

/**
 * What the promise rejects with. Bun's own `expect(…).rejects` holds up the event loop until then, and with it every Worker's
 * answer that the promise may be waiting for.
 */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("It was expected to fail, and did not.");
}
