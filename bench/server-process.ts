/** One run of the built executable: a server from its start to its end, or one command. Nothing is waited for without a limit. */
import { join } from "node:path";
import { root } from "../scripts/steps.ts";

/** LECTERN_BENCH_EXECUTABLE, an absolute path, names another build than this folder's. */
export const executable = process.env.LECTERN_BENCH_EXECUTABLE ?? join(root, "dist/lectern");

const READY_LIMIT = 30_000;
const STOP_LIMIT = 60_000;

/** A line of the server's log. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
}

export type Start = "ready" | "exited" | "hangs";

/** A measurement that breaks off leaves no server behind. */
const running = new Set<Bun.Subprocess>();
process.on("exit", () => running.forEach((server) => server.kill("SIGKILL")));
// A signal alone would end the process without that.
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

export class ServerProcess {
  /** Empty until the server is ready. */
  url = "";
  /** The key of the customer `default`, where this start made one. */
  apiKey: string | null = null;
  /** Milliseconds from the start of the process to its line that says it is ready. */
  readyMilliseconds = 0;
  /** All that it wrote to standard error. */
  errors = "";
  private readonly started = performance.now();
  private readonly process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  private readonly reading: Promise<unknown>;
  private readonly isReady = Promise.withResolvers<void>();

  /** `echo`: whether what it writes to standard error is shown. `program`: another build than the one that is measured. */
  constructor(
    directory: string,
    environment: Record<string, string>,
    flags: readonly string[] = [],
    private readonly echo = false,
    program = executable,
  ) {
    this.process = Bun.spawn([program, "serve", "--data-dir", directory, "--port", "0", ...flags], {
      env: ownEnvironment(environment),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    running.add(this.process);
    void this.process.exited.then(() => running.delete(this.process));
    this.reading = Promise.all([this.readOutput(), this.readErrors()]);
  }

  get pid(): number {
    return this.process.pid;
  }

  get exitCode(): number | null {
    return this.process.exitCode;
  }

  /** Warnings and errors of its log, which it must have been told to write as JSON. */
  get log(): LogLine[] {
    return this.errors.split("\n").flatMap((line) => (line.startsWith("{") ? [parseLine(line)] : []));
  }

  async ready(limit = READY_LIMIT): Promise<Start> {
    const outcome = await within<Start>(
      limit,
      Promise.race([
        this.isReady.promise.then(() => "ready" as const),
        this.process.exited.then(() => "exited" as const),
      ]),
      "hangs",
    );
    if (outcome === "exited") await this.reading;
    return outcome;
  }

  /** Sends the signal and waits for the end. Returns false, after killing it, when it has not ended within so many milliseconds. */
  async stop(signal: NodeJS.Signals = "SIGTERM", limit = STOP_LIMIT): Promise<boolean> {
    this.process.kill(signal);
    const obeyed = await within(
      limit,
      this.process.exited.then(() => true),
      false,
    );
    if (!obeyed) this.process.kill("SIGKILL");
    await this.process.exited;
    return obeyed;
  }

  private async readOutput(): Promise<void> {
    let output = "";
    for await (const bytes of this.process.stdout) {
      output += new TextDecoder().decode(bytes);
      this.apiKey ??= /lk_[\w-]{43}/.exec(output)?.[0] ?? null;
      const url = /ready at (https?:\/\/\S+)/.exec(output)?.[1];
      if (url === undefined || this.url !== "") continue;
      this.url = url;
      this.readyMilliseconds = performance.now() - this.started;
      this.isReady.resolve();
    }
  }

  private async readErrors(): Promise<void> {
    for await (const bytes of this.process.stderr) {
      const text = new TextDecoder().decode(bytes);
      this.errors += text;
      if (this.echo) process.stderr.write(text);
    }
  }
}

export interface CommandResult {
  /** null: it was killed, or it did not end in time and was killed then. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface CommandOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until it is killed. */
  readonly limit?: number;
  readonly environment?: Record<string, string>;
  /** Another build than the one that is measured. */
  readonly program?: string;
}

/** Runs one command on a data directory. Aborting the signal kills it. Never throws. */
export async function runCommand(
  directory: string,
  words: readonly string[],
  { signal, limit = 60_000, environment = {}, program = executable }: CommandOptions = {},
): Promise<CommandResult> {
  const command = Bun.spawn([program, ...words, "--data-dir", directory], {
    env: ownEnvironment(environment),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const kill = () => command.kill("SIGKILL");
  const timer = setTimeout(kill, limit);
  signal?.addEventListener("abort", kill, { once: true });
  if (signal?.aborted) kill();
  const [output, errors] = await Promise.all([
    new Response(command.stdout).text(),
    new Response(command.stderr).text(),
    command.exited,
  ]);
  clearTimeout(timer);
  signal?.removeEventListener("abort", kill);
  return { code: command.exitCode, output, errors };
}

/** Runs a command whose success the measurement rests on; returns the JSON it printed. Throws what it said when it failed. */
export async function commandJson<Record>(
  directory: string,
  words: readonly string[],
  options: CommandOptions = {},
): Promise<Record> {
  const { code, output, errors } = await runCommand(directory, [...words, "--json"], options);
  if (code !== 0) throw new Error(`lectern ${words.join(" ")} failed: ${errors || output}`);
  return JSON.parse(output) as Record;
}

/** What the promise resolves with, or `otherwise` after so many milliseconds. */
async function within<Value>(milliseconds: number, promise: Promise<Value>, otherwise: Value): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Value>((resolve) => (timer = setTimeout(resolve, milliseconds, otherwise)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** This process's variables without those that tell the measurements something. */
function ownEnvironment(extra: Record<string, string>): Record<string, string | undefined> {
  const { LECTERN_BENCH_EXECUTABLE: _, ...environment } = process.env;
  return { ...environment, ...extra };
}

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: "error", message: line };
  }
}
