/** The clients in every runtime that is here, each spoken to through its driver. */
import { describe } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compileTypeScriptClient } from "../../scripts/clients/compile.ts";
import { testWith, type Requirement } from "../requirements.ts";

const root = join(import.meta.dir, "../..");

export interface ClientOptions {
  readonly url: string;
  readonly key: string;
  readonly timeout?: number;
  readonly idleTimeout?: number;
  readonly retries?: number;
  readonly longestWait?: number;
}

export interface Outcome {
  readonly value?: any;
  readonly error?: {
    readonly kind: string;
    readonly message: string;
    readonly code?: string;
    readonly status?: number;
    readonly details?: any;
    readonly requestId?: string;
    readonly retryAfter?: number;
  };
}

export interface RunningClient {
  /** Throws when the key is seen in what the client or its error shows of itself. */
  call(options: ClientOptions, call: string, given?: Record<string, unknown>): Promise<Outcome>;
  /** How many bytes of memory the process had at most since `begin`, beyond what it had then. Linux only. */
  measureMemory(): { begin(): void; growth(): number };
  stop(): Promise<void>;
}

export interface ClientRuntime {
  readonly name: string;
  readonly requirement: Requirement;
  /** With these variables beside those of the tests. */
  start(environment?: Readonly<Record<string, string>>): RunningClient;
}

/** At least that version, as the program says it. */
function atLeast(name: string, command: string[], [major, minor]: [number, number]): Requirement {
  const path = Bun.which(command[0]!);
  const said = path === null ? "" : Bun.spawnSync(command, { stderr: "ignore" }).stdout.toString();
  const [, first, second] = /(\d+)\.(\d+)/.exec(said) ?? [];
  const isMet = Number(first) > major || (Number(first) === major && Number(second) >= minor);
  return { isMet, what: `the program ${name} ${major}.${minor} or newer` };
}

let packaged: string | null = null;

/** A folder with the TypeScript package as it is installed from its files, and its driver. */
export function packageFolder(): string {
  if (packaged !== null) return packaged;
  const folder = mkdtempSync(join(tmpdir(), "lectern-clients-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const installed = "node_modules/lectern-client";
  write(`${installed}/package.json`, readFileSync(join(root, "clients/typescript/package.json"), "utf8"));
  for (const [name, text] of Object.entries(compileTypeScriptClient())) write(`${installed}/dist/${name}`, text);
  const driver = readFileSync(join(import.meta.dir, "driver.ts"), "utf8");
  write("driver.mjs", new Bun.Transpiler({ loader: "ts", target: "node" }).transformSync(driver));
  write("package.json", "{}");
  return (packaged = folder);
}

const javaScript =
  (command: string[]) =>
  (environment: Readonly<Record<string, string>> = {}): RunningClient => {
    const folder = packageFolder();
    return start([...command, join(folder, "driver.mjs")], folder, environment);
  };

const runtimes: readonly ClientRuntime[] = [
  { name: "Bun", requirement: { isMet: true, what: "" }, start: javaScript([process.execPath]) },
  { name: "Node", requirement: atLeast("node", ["node", "--version"], [20, 3]), start: javaScript(["node"]) },
  {
    name: "Deno",
    requirement: atLeast("deno", ["deno", "--version"], [2, 0]),
    start: javaScript(["deno", "run", "--allow-all", "--no-config", "--node-modules-dir=manual"]),
  },
  {
    name: "Python",
    requirement: atLeast("python3", ["python3", "--version"], [3, 9]),
    start: (environment = {}) =>
      start(["python3", "-B", join(import.meta.dir, "driver.py")], root, {
        PYTHONPATH: join(root, "clients/python"),
        ...environment,
      }),
  },
];

/** Declares the tests of each runtime that is here; one that is not is skipped as a whole, with what it needs. */
export function describeClients(declare: (runtime: ClientRuntime) => void): void {
  for (const runtime of runtimes) {
    const name = `the client in ${runtime.name}`;
    if (runtime.requirement.isMet) describe(name, () => declare(runtime));
    else testWith(runtime.requirement)(name, () => {});
  }
}

function start(command: string[], cwd: string, environment: Readonly<Record<string, string>>): RunningClient {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...process.env, ...environment },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(child.stdout);
  return {
    async call(options, call, given = {}) {
      child.stdin.write(`${JSON.stringify({ call, options, arguments: given })}\n`);
      child.stdin.flush();
      const { value: line, done } = await lines.next();
      if (done) throw new Error(`The client ended with code ${await child.exited} instead of answering.`);
      const { shown, ...outcome } = JSON.parse(line) as Outcome & { shown: string };
      const { message = "" } = outcome.error ?? {};
      const secret = options.key.trim();
      if (secret !== "" && (shown.includes(secret) || message.includes(secret)))
        throw new Error(`The key is in what the client shows: ${shown}`);
      return outcome;
    },
    measureMemory() {
      const status = (name: string): number =>
        1024 * Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]);
      let before = 0;
      return {
        begin() {
          // 5: the highest so far is forgotten (proc_pid_clear_refs(5)).
          writeFileSync(`/proc/${child.pid}/clear_refs`, "5");
          before = status("VmRSS");
        },
        growth: () => status("VmHWM") - before,
      };
    },
    async stop() {
      child.stdin.end();
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
