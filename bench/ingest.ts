/**
 * How fast large files become searchable: everything from the upload over HTTP to its answer, in chunks a second, and which
 * processes and threads take the time; and what they take of the disk. Passages of `--text FILE` keep their order.
 */
import { Database } from "bun:sqlite";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BenchOptions } from "./options.ts";
import { descendants, folderBytes } from "./process-figures.ts";
import { BenchServer, timed } from "./server.ts";
import { report } from "./statistics.ts";
import { readPassages } from "./text.ts";

const PASSAGES = 48_000;
const PASSAGES_PER_FILE = 3000;
/** Tokens. */
const CHUNKING = { chunkSize: "100", chunkOverlap: "0" };
const CLIENTS = 4;
/** Threads that took less of the whole are not told of. */
const LEAST_SHARE = 0.02;
const TICKS_PER_SECOND = 100;

export async function benchIngest(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(PASSAGES, options.text);
  console.log(`text: ${origin}`);
  const files = Array.from({ length: PASSAGES / PASSAGES_PER_FILE }, (_, file) =>
    passages.slice(file * PASSAGES_PER_FILE, (file + 1) * PASSAGES_PER_FILE).join("\n"),
  );
  const server = await new BenchServer().start();
  // Starts the processes that read files.
  await timed([0, 1], 2, (number) => server.upload(`warm-${number}.txt`, passages.slice(0, 200).join("\n"), CHUNKING));
  const before = threadSeconds(server.pid);
  const chunksBefore = chunksOf(server.directory);
  const started = performance.now();
  await timed(files, CLIENTS, (text, number) => server.upload(`file-${number}.txt`, text, CHUNKING));
  const seconds = (performance.now() - started) / 1000;
  const chunks = chunksOf(server.directory) - chunksBefore;
  report({ name: `upload of ${files.length} files, ${chunks} chunks`, value: chunks / seconds, unit: "/s" });
  reportThreads(before, threadSeconds(server.pid), chunks);
  await server.stop();
  // Opened again, indexes are brought up to date and written.
  await server.start();
  await server.search("disk");
  await server.everythingSaved();
  await server.stop();
  // What is kept for a full disk holds nothing.
  const bytes = folderBytes(server.directory) - statSync(join(server.directory, "reserve")).size;
  report({
    name: "disk for each chunk, everything",
    value: bytes / 1000 / chunksOf(server.directory),
    unit: "KB",
    goal: { atMost: 4.5 },
  });
  server.remove();
}

interface ThreadTime {
  readonly name: string;
  readonly seconds: number;
}

/** Processor time so far of every thread of a process and of those it started, by process and thread. */
function threadSeconds(pid: number): Map<string, ThreadTime> {
  const times = new Map<string, ThreadTime>();
  for (const process of [pid, ...descendants(pid)])
    for (const thread of readdirSync(`/proc/${process}/task`)) {
      const stat = readFileSync(`/proc/${process}/task/${thread}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const name = `${process === pid ? "server" : "reader"}, thread ${thread} ${stat.slice(stat.indexOf("("), stat.lastIndexOf(")") + 1)}`;
      times.set(`${process}/${thread}`, {
        name,
        seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      });
    }
  return times;
}

function reportThreads(
  before: ReadonlyMap<string, ThreadTime>,
  after: ReadonlyMap<string, ThreadTime>,
  chunks: number,
): void {
  const spent = [...after].map(([key, { name, seconds }]) => ({
    name,
    seconds: seconds - (before.get(key)?.seconds ?? 0),
  }));
  const all = spent.reduce((sum, { seconds }) => sum + seconds, 0);
  const perThousand = (seconds: number): number => (seconds * 1e6) / chunks;
  report({ name: "processor time of 1,000 chunks", value: perThousand(all), unit: "ms" });
  for (const { name, seconds } of spent.sort((one, other) => other.seconds - one.seconds))
    if (seconds >= all * LEAST_SHARE) report({ name: `  ${name}`, value: perThousand(seconds), unit: "ms" });
}

function chunksOf(directory: string): number {
  const database = new Database(join(directory, "lectern.db"), { readonly: true });
  const { chunks } = database
    .query<{ chunks: number }, []>("SELECT COALESCE(SUM(chunkCount), 0) AS chunks FROM files")
    .get()!;
  database.close();
  return chunks;
}
