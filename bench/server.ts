/** The built executable, started for a measurement, on a data directory of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "./client.ts";
import { memoryMegabytes } from "./process-figures.ts";
import { commandJson, executable, ServerProcess } from "./server-process.ts";

export { executable };
export type { SearchHit } from "./client.ts";

/** Limits lifted, so that the server is measured and not its rate windows. */
export const LIFTED = {
  LECTERN_RATE_UPLOAD: "1000000",
  LECTERN_RATE_RETRIEVAL: "100000000",
  LECTERN_RATE_TOKEN: "1000000",
  LECTERN_RATE_FREE: "100000000",
  LECTERN_SEARCH_RESULTS: "10",
  LECTERN_LOG_LEVEL: "warn",
};

const POLL_MILLISECONDS = 20;
/** In which an index that is still taken into memory grows. */
const GROWTH_MILLISECONDS = 500;

/** A server and, at once, the client of its first customer: `default`, unless one was made before the first start. */
export class BenchServer extends Client {
  private process: ServerProcess | null = null;

  /** `environment` stands for the lifted limits, `program` for the build that is measured. */
  constructor(
    readonly directory = mkdtempSync(join(tmpdir(), "lectern-bench-")),
    private readonly environment: Record<string, string> = LIFTED,
    private readonly program = executable,
  ) {
    super({ url: "" }, "");
  }

  /** Throws what the server said when it does not get ready. */
  async start(extra: Record<string, string> = {}): Promise<this> {
    this.process = new ServerProcess(this.directory, { ...this.environment, ...extra }, [], true, this.program);
    const start = await this.process.ready();
    if (start !== "ready") throw new Error(`the server did not start (${start}): ${this.process.errors}`);
    this.address.url = this.process.url;
    this.key ||= this.process.apiKey ?? (await this.createKey("default")).apiKey;
    return this;
  }

  /** Milliseconds that the last start took. */
  get readyMilliseconds(): number {
    return this.process!.readyMilliseconds;
  }

  get pid(): number {
    return this.process!.pid;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    await this.process?.stop(signal);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Makes a customer, with unlimited credits where no number is given, and returns its client. */
  async createCustomer(customerId: string, credits: number | "unlimited" = "unlimited"): Promise<Client> {
    await commandJson(this.directory, ["customer", "create", customerId, "--credits", String(credits)], {
      program: this.program,
    });
    return this.as((await this.createKey(customerId)).apiKey);
  }

  async createKey(customerId: string): Promise<{ keyId: string; apiKey: string }> {
    const created = await commandJson<{ keyId: string; apiKey: string }>(
      this.directory,
      ["key", "create", "--customer", customerId],
      { program: this.program },
    );
    this.key ||= created.apiKey;
    return created;
  }

  /** The client that sends this key, also after a restart. */
  as(key: string): Client {
    return new Client(this.address, key);
  }

  /** A figure of `/metrics` that has no labels; NaN where there is none of the name. */
  async gauge(name: string): Promise<number> {
    const page = await (await this.fetch("/metrics")).text();
    return Number(new RegExp(`^${name} (\\S+)`, "m").exec(page)?.[1] ?? NaN);
  }

  /** Longest stall of the main thread since the last call, milliseconds. On a busy machine it holds the time that others had the core. */
  async longestStall(): Promise<number> {
    return (await this.gauge("lectern_event_loop_delay_seconds")) * 1000;
  }

  /** Waits until no part of an index is still to be written. */
  async everythingSaved(): Promise<void> {
    while ((await this.gauge("lectern_index_checkpoints_building")) > 0) await Bun.sleep(POLL_MILLISECONDS);
  }

  /** Waits until indexes have stopped growing: after a start vectors are taken into memory behind the searches' back. */
  async everythingInMemory(): Promise<void> {
    for (let before = -1, now = 0; now > before; before = now, now = await this.gauge("lectern_index_bytes"))
      await Bun.sleep(GROWTH_MILLISECONDS);
  }

  /** Resident memory, megabytes. */
  residentMegabytes(): { total: number; anonymous: number } {
    return memoryMegabytes(this.pid);
  }
}

/** Runs `work` for each item with so many at a time; returns each one's milliseconds. */
export async function timed<Item>(
  items: readonly Item[],
  clients: number,
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<number[]> {
  const milliseconds: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let index = next++; index < items.length; index = next++) {
        const started = performance.now();
        await work(items[index]!, index);
        milliseconds.push(performance.now() - started);
      }
    }),
  );
  return milliseconds;
}
