/** One child process that serves an `Api`: started, listened to, measured and killed. */
import { readFileSync } from "node:fs";
import { Connection } from "./connection.ts";
import type { ToCaller, ToServer } from "./messages.ts";

/** The end of what a process wrote to standard error, kept to explain its death in the log. */
const KEPT_STDERR_CHARACTERS = 4000;
/** As Linux counts processor time, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100;

/** How a process ended that nobody here ended. */
export class ProcessEnd extends Error {
  constructor(
    exitCode: number | null,
    readonly signal: string | null,
    stderr: string,
  ) {
    super(`${signal === null ? `exit code ${exitCode}` : `signal ${signal}`}: ${stderr}`);
  }
}

export interface ChildProcessOptions {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What whoever waits is told when the process ends by itself. */
  readonly reasonFor: (end: ProcessEnd) => unknown;
  /** Whether it starts programs, which end with it and count as a part of it. */
  readonly startsPrograms?: boolean;
}

export class ChildProcess<Api> {
  readonly connection: Connection<Api>;
  /** Resolves once it listens; rejects with the reason when it ends before. */
  readonly ready: Promise<void>;
  private readonly process: Bun.Subprocess<"ignore", "ignore", "pipe">;
  private readonly early: ToServer[] = [];
  private isReady = false;
  private stderr = "";
  private readonly startsPrograms: boolean;

  constructor({ command, environment, reasonFor, startsPrograms = false }: ChildProcessOptions) {
    this.startsPrograms = startsPrograms;
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    // Whoever waits for it gets the failure; nobody has to.
    this.ready.catch(() => undefined);
    this.connection = new Connection<Api>({
      send: (message) => (this.isReady ? this.send(message) : void this.early.push(message)),
      terminate: () => {
        this.process.kill("SIGKILL");
        this.endPrograms();
      },
    });
    void this.connection.whenEnded.then(ready.reject);
    this.process = Bun.spawn([...command], {
      env: { ...environment },
      // What it starts belongs to its group, which is ended as a whole.
      detached: startsPrograms,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      serialization: "advanced",
      ipc: (message: ToCaller) => {
        if (!("ready" in message)) return this.connection.receive(message);
        this.isReady = true;
        for (const one of this.early.splice(0)) this.send(one);
        ready.resolve();
      },
      onExit: (_process, exitCode, signal) => {
        this.endPrograms();
        this.connection.end(reasonFor(new ProcessEnd(exitCode, signal === null ? null : String(signal), this.stderr)));
      },
    });
    void this.keepStderr();
  }

  get processId(): number {
    return this.process.pid;
  }

  /** False as soon as it is killed, though the system may not have ended it yet. */
  get alive(): boolean {
    return !this.connection.isEnded;
  }

  /** Resident memory in bytes, that of the programs it started included; 0 where the system does not tell, or when it has ended. */
  residentBytes(): number {
    const { processId } = this;
    const started = this.startsPrograms ? this.fromSystem(`task/${processId}/children`).match(/\d+/g) : null;
    return [processId, ...(started ?? []).map(Number)].reduce((sum, id) => sum + residentBytesOf(id), 0);
  }

  /** Seconds of a processor that its first thread has used; 0 where the system does not tell, or when it has ended. */
  processorSeconds(): number {
    const text = this.fromSystem(`task/${this.processId}/stat`);
    // Behind the name, which may hold anything, the 12th and 13th field.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;
  }

  /** Ends it at once; whoever waits gets the reason. */
  kill(reason: unknown): void {
    if (this.alive) this.connection.kill(reason);
  }

  /** Resolves when it is gone. */
  async exited(): Promise<void> {
    await this.process.exited;
  }

  private endPrograms(): void {
    if (!this.startsPrograms) return;
    try {
      process.kill(-this.processId, "SIGKILL");
    } catch {
      // Nobody is left of the group.
    }
  }

  private send(message: ToServer): void {
    if (this.alive) this.process.send(message);
  }

  private fromSystem(file: string): string {
    return fromSystem(this.processId, file);
  }

  private async keepStderr(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of this.process.stderr)
      this.stderr = (this.stderr + decoder.decode(bytes, { stream: true })).slice(-KEPT_STDERR_CHARACTERS);
  }
}

function residentBytesOf(processId: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(fromSystem(processId, "status"))?.[1] ?? 0) * 1024;
}

function fromSystem(processId: number, file: string): string {
  try {
    return readFileSync(`/proc/${processId}/${file}`, "utf8");
  } catch {
    return "";
  }
}
