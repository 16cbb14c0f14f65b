/**
 * A day's life for an hour or more: documents come and go, people search, list and make tokens, and about as many chunks stay.
 * Whatever the server takes then (memory, descriptors, threads, disk) must stay about the same too.
 */
import { join } from "node:path";
import { uploadForm, type Answer, type ListedFile } from "./client.ts";
import type { BenchOptions } from "./options.ts";
import {
  descendants,
  descriptorCount,
  fileBytes,
  folderBytes,
  memoryMegabytes,
  threadCount,
} from "./process-figures.ts";
import { Random } from "./random.ts";
import { BenchServer } from "./server.ts";
import { percentile, report } from "./statistics.ts";
import { questionsFrom, readPassages } from "./text.ts";
import { grows, trendOf } from "./trend.ts";

const CHUNKS_ALIVE = 2000;
const MOST_PASSAGES_PER_FILE = 30;
const DATASETS = ["handbook", "mail", "notes"];
const WORKERS = 2;
/** Between two requests of a worker, at most, milliseconds. */
const PAUSE = 100;
const MEGABYTE = 1024 * 1024;
const SAMPLE_EVERY = 10_000;
const MINUTE = 60_000;

/** What is looked at, with the growth an hour that counts as none: a collector's memory wanders by as much in half an hour. */
const FIGURES = {
  "memory, MB": { bound: 24, read: (server: BenchServer) => memoryMegabytes(server.pid).total },
  "anonymous memory, MB": { bound: 24, read: (server: BenchServer) => memoryMegabytes(server.pid).anonymous },
  "memory of its children, MB": { bound: 16, read: (server: BenchServer) => childrenMegabytes(server.pid) },
  descriptors: { bound: 2, read: (server: BenchServer) => descriptorCount(server.pid) },
  threads: { bound: 1, read: (server: BenchServer) => threadCount(server.pid) },
  "data directory, MB": { bound: 4, read: (server: BenchServer) => folderBytes(server.directory) / MEGABYTE },
  "its files, number": { bound: 30, read: (server: BenchServer) => fileCount(server.directory) },
  "write-ahead logs, MB": {
    bound: 2,
    read: (server: BenchServer) =>
      (fileBytes(join(server.directory, "lectern.db-wal")) + fileBytes(join(server.directory, "access.db-wal"))) /
      MEGABYTE,
  },
} as const;
type FigureName = keyof typeof FIGURES;
const names = Object.keys(FIGURES) as FigureName[];

export async function benchChurn(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(4000, options.text);
  console.log(`text: ${origin}`);
  const server = await new BenchServer().start();
  const life = new Life(server, passages, new Random(options.seed));
  try {
    while (life.passagesAlive < CHUNKS_ALIVE) await life.upload();
    console.log(["minute", ...names, "chunks", "search p99, ms", "upload p99, ms"].join(" | "));
    const samples = await sampleWhile(life, server, options.minutes);
    reportTrends(samples);
    report({ name: "requests not answered as they should be", value: life.failures, unit: "", goal: { atMost: 0 } });
  } finally {
    await server.stop();
    server.remove();
  }
}

type Sample = { readonly hour: number } & Record<FigureName, number>;

async function sampleWhile(life: Life, server: BenchServer, minutes: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const began = performance.now();
  const end = began + minutes * MINUTE;
  const working = Promise.all(
    Array.from({ length: WORKERS }, async () => {
      while (performance.now() < end) {
        await life.oneRequest();
        await Bun.sleep(life.random.next() * PAUSE);
      }
    }),
  );
  const perMinute = MINUTE / SAMPLE_EVERY;
  for (let number = 1; number <= minutes * perMinute; number++) {
    await Bun.sleep(Math.max(0, began + number * SAMPLE_EVERY - performance.now()));
    const sample = {
      hour: (performance.now() - began) / MINUTE / 60,
      ...Object.fromEntries(names.map((name) => [name, FIGURES[name].read(server)])),
    } as Sample;
    samples.push(sample);
    if (number % perMinute === 0)
      console.log(
        [
          number / perMinute,
          ...names.map((name) => round(sample[name])),
          life.passagesAlive,
          ...life.takePercentiles().map(round),
        ].join(" | "),
      );
  }
  await working;
  return samples;
}

/** Over the second half: in the first, caches fill. */
function reportTrends(samples: readonly Sample[]): void {
  const half = samples.slice(Math.floor(samples.length / 2));
  const hours = half.map(({ hour }) => hour);
  let growing = 0;
  for (const name of names) {
    const values = half.map((sample) => sample[name]);
    const trend = trendOf(hours, values);
    const { bound } = FIGURES[name];
    if (grows(trend, bound)) growing++;
    console.log(
      `${name.padEnd(28)} ${round(Math.min(...values))} to ${round(Math.max(...values))}; ${round(trend.slope)} ± ${round(trend.uncertainty)} an hour, bound ${bound}: ${grows(trend, bound) ? "GROWS" : "does not grow"}`,
    );
  }
  report({ name: "figures that grow", value: growing, unit: "", goal: { atMost: 0 } });
}

/** What the customers do. */
class Life {
  private readonly files: { fileId: string; datasetId: string; passages: number }[] = [];
  private readonly questions: readonly string[];
  private searches: number[] = [];
  private uploads: number[] = [];
  private uploaded = 0;
  failures = 0;

  constructor(
    private readonly server: BenchServer,
    private readonly passages: readonly string[],
    readonly random: Random,
  ) {
    this.questions = questionsFrom(passages, 500);
  }

  /** A passage gives a chunk. */
  get passagesAlive(): number {
    return this.files.reduce((sum, file) => sum + file.passages, 0);
  }

  async oneRequest(): Promise<void> {
    const choice = this.random.next();
    const datasetId = this.random.pick(DATASETS)!;
    if (choice < 0.2) await (this.passagesAlive > CHUNKS_ALIVE ? this.remove() : this.upload());
    else if (choice < 0.25)
      this.expect(200, await this.server.call("POST", "/v1/tokens/create", { datasetId, ttlSeconds: 60 }));
    else if (choice < 0.3) this.expect(200, await this.server.call("GET", `/v1/files?datasetId=${datasetId}`));
    else if (choice < 0.35) await this.download();
    else if (choice < 0.4)
      this.expect(
        200,
        await this.server.call("POST", "/v1/query", { datasetId, question: this.random.pick(this.questions) }),
      );
    else if (choice < 0.42)
      this.expect(
        400,
        await this.server.call("POST", "/v1/files/upload", uploadForm({ datasetId }, { "empty.md": "" })),
      );
    else {
      const started = performance.now();
      this.expect(
        200,
        await this.server.call("POST", "/v1/search", { datasetId, question: this.random.pick(this.questions) }),
      );
      this.searches.push(performance.now() - started);
    }
  }

  async upload(): Promise<void> {
    const datasetId = this.random.pick(DATASETS)!;
    const passages = 1 + this.random.below(MOST_PASSAGES_PER_FILE);
    // Of Markdown's own text some passages are nothing but pictures or remarks, which a file may not be alone.
    const text = [
      `This is document ${this.uploaded}.`,
      ...Array.from({ length: passages }, () => this.random.pick(this.passages)!),
    ].join("\n\n");
    const started = performance.now();
    const extension = this.random.pick(["txt", "md", "html"])!;
    const answer = await this.server.call(
      "POST",
      "/v1/files/upload",
      uploadForm(
        { datasetId, chunkSize: "120", extraMeta: JSON.stringify({ number: this.uploaded }) },
        {
          [`document-${this.uploaded++}.${extension}`]:
            extension === "html"
              ? `<html><body><p>${text.replace(/[<&]/g, " ").replaceAll("\n\n", "</p><p>")}</p></body></html>`
              : text,
        },
      ),
    );
    this.uploads.push(performance.now() - started);
    if (this.expect(200, answer))
      this.files.push({ fileId: (answer.body as { files: ListedFile[] }).files[0]!.fileId, datasetId, passages });
  }

  /** The 99th of a hundred searches and uploads since the last call, milliseconds. */
  takePercentiles(): number[] {
    const figures = [percentile(this.searches, 0.99), percentile(this.uploads, 0.99)];
    this.searches = [];
    this.uploads = [];
    return figures;
  }

  private async remove(): Promise<void> {
    const [file] = this.files.splice(this.random.below(this.files.length), 1);
    if (file !== undefined) this.expect(200, await this.server.call("DELETE", `/v1/files/${file.fileId}`));
  }

  private async download(): Promise<void> {
    const [file] = this.files.splice(this.random.below(this.files.length), 1);
    if (file === undefined) return;
    const { answer, bytes } = await this.server.download(file.fileId);
    this.files.push(file);
    if (bytes === null) this.expect(200, answer);
  }

  private expect(status: number, answer: Answer): boolean {
    if (answer.status === status) return true;
    if (++this.failures <= 10)
      console.log(`  answered ${answer.status} rather than ${status}: ${JSON.stringify(answer.body).slice(0, 200)}`);
    return false;
  }
}

function childrenMegabytes(pid: number): number {
  return descendants(pid).reduce((sum, child) => {
    try {
      return sum + memoryMegabytes(child).total;
    } catch {
      // It ended just now.
      return sum;
    }
  }, 0);
}

function fileCount(directory: string): number {
  return [...new Bun.Glob("**/*").scanSync({ cwd: directory, dot: true, onlyFiles: true })].length;
}

const round = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1));
