/** Runs the command line from source as a process of its own, on data directories of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const main = join(import.meta.dir, "../../src/main.ts");
const START_SECONDS = 30;

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output read as one JSON value. */
  json: () => any;
}

export interface Server {
  url: string;
  /** Of the customer `default`, when this start made it. */
  apiKey: string | null;
  /** Lines on standard output so far. */
  lines: string[];
  process: Bun.Subprocess;
  /** Ends it by a signal and resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** A folder that `remove` takes away; the data directory in it is not there yet. */
export function temporaryFolder(): { path: string; dataDirectory: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "lectern-cli-"));
  return { path, dataDirectory: join(path, "data"), remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The environment without any option of the developer's own. */
function environment(extra: Record<string, string>): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("LECTERN_"));
  return { ...Object.fromEntries(inherited), ...extra };
}

/** Runs `lectern WORDS…` to its end; `input` is what it reads from standard input. */
export function lectern(words: string[], extra: Record<string, string> = {}, input?: string): Promise<CommandResult> {
  return spawnLectern(words, extra, input).result;
}

/** Runs `lectern WORDS…` on a terminal on which `answer` is typed; takes the program `script`. */
export async function answering(answer: string, words: string[]): Promise<{ code: number; output: string }> {
  const line = [process.execPath, main, ...words].map((word) => `'${word}'`).join(" ");
  const child = Bun.spawn(["script", "-qec", line, "/dev/null"], {
    env: environment({}),
    stdin: new Blob([`${answer}\n`]),
    stdout: "pipe",
  });
  const output = await new Response(child.stdout).text();
  return { code: await child.exited, output };
}

/** Starts `lectern WORDS…`, for tests that meet it on its way; `detached` in a process group of its own, as a shell does. */
export function spawnLectern(
  words: string[],
  extra: Record<string, string> = {},
  input?: string,
  { detached = false } = {},
): { process: Bun.Subprocess; result: Promise<CommandResult> } {
  const child = Bun.spawn([process.execPath, main, ...words], {
    env: environment(extra),
    stdin: input === undefined ? "ignore" : Buffer.from(input),
    detached,
    stdout: "pipe",
    stderr: "pipe",
  });
  const ended = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  const result = ended.then(([stdout, stderr, code]) => ({ code, stdout, stderr, json: () => JSON.parse(stdout) }));
  return { process: child, result };
}

/** Starts `lectern serve` on a free port and resolves once it has said that it is ready. */
export async function serve(
  dataDirectory: string,
  words: string[] = [],
  extra: Record<string, string> = {},
): Promise<Server> {
  const child = Bun.spawn([process.execPath, main, "serve", "--port", "0", "--data-dir", dataDirectory, ...words], {
    env: environment(extra),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stderr = new Response(child.stderr).text();
  const lines: string[] = [];
  const ready = readLines(child.stdout, lines);
  const url = await Promise.race([ready, Bun.sleep(START_SECONDS * 1000).then(() => null)]);
  if (url === null) {
    child.kill("SIGKILL");
    throw new Error(`The server did not start:\n${lines.join("\n")}\n${await stderr}`);
  }
  return {
    url,
    apiKey: /lk_[A-Za-z0-9_-]{43}/.exec(lines.join("\n"))?.[0] ?? null,
    lines,
    process: child,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return await child.exited;
    },
  };
}

/** Resolves to the address once it is printed, null when the output ends before; goes on collecting lines. */
function readLines(stream: ReadableStream<Uint8Array>, lines: string[]): Promise<string | null> {
  return new Promise((resolve, reject) => {
    void (async () => {
      const decoder = new TextDecoder();
      let rest = "";
      for await (const bytes of stream) {
        const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
        rest = parts.pop() ?? "";
        for (const line of parts) {
          lines.push(line);
          const url = /(?:^Lectern is ready at |"url":")(https?:\/\/[^\s"]+)/.exec(line)?.[1];
          if (url) resolve(url);
        }
      }
      resolve(null);
    })().catch(reject);
  });
}

/** POST with a JSON body. */
export function post(server: Pick<Server, "url">, path: string, apiKey: string, body: unknown): Promise<Response> {
  return fetch(server.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
