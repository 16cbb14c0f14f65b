/**
 * Backups beside a server, against copying the same directory: what they take, what the next one takes after one document in a hundred was
 * replaced, what searches notice, and how restoring compares. Copies count until they are on disk, as backups do. Nothing is removed before
 * the end: for half a minute after that, ext4 makes new files many times as slowly.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fill, USUAL } from "./fill.ts";
import type { BenchOptions } from "./options.ts";
import { folderBytes } from "./process-figures.ts";
import { BenchServer, executable } from "./server.ts";
import { percentile, report } from "./statistics.ts";
import { questionsFrom, readPassages } from "./text.ts";

/** Each of the two that are compared is done so often, in turns; the shortest counts. */
const ROUNDS = 3;
const CHANGED_SHARE = 0.01;
/** Between two searches of a client. */
const PAUSE_MILLISECONDS = 10;
const LIMIT = 600_000;
/** As `nice` counts: a backup beside a server gives way to it, restoring does not; each is compared with a copy that does as it does. */
const PATIENT = 10;
const EAGER = 0;

/** Of one command: by the clock, and of all processors. On a busy machine the second says more. */
interface Spent {
  readonly seconds: number;
  readonly processor: number;
}

const least = (spent: readonly Spent[], what: keyof Spent): number => Math.min(...spent.map((one) => one[what]));

/** Both times, against those of something else. */
function compare(
  name: string,
  spent: readonly Spent[],
  baseline: string,
  than: readonly Spent[],
  atMost: number,
): void {
  const value = least(than, "seconds");
  report({
    name,
    value: least(spent, "seconds"),
    unit: "s",
    baseline: { name: baseline, value },
    goal: { atMost: atMost * value },
  });
  report({
    name: "  of a processor",
    value: least(spent, "processor"),
    unit: "s",
    baseline: { name: baseline, value: least(than, "processor") },
  });
}

export async function benchBackup(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(Math.ceil(options.chunks * 1.6), options.text);
  console.log(`text: ${origin}`);
  const questions = questionsFrom(passages, options.questions);
  const server = await new BenchServer(options.keep ?? undefined).start();
  const folder = mkdtempSync(join(tmpdir(), "lectern-bench-backups-"));
  const at = (name: string): string => join(folder, name);
  try {
    const used = await fill(server, passages, options.chunks);
    console.log(`the data directory has ${Math.round(folderBytes(server.directory) / 1e6)} MB`);
    for (const question of questions) await server.search(question);
    const idle = await searching(server, questions, Bun.sleep(5000));

    const copies: Spent[] = [];
    const backups: Spent[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      copies.push(await timedCopy(server.directory, at(`copy-${round}`), PATIENT));
      backups.push(await timedCommand(server.directory, ["backup", at(`backup-${round}`)]));
    }
    compare("backup as a folder", backups, "cp -r, flushed", copies, 1.5);

    const beside = await searching(server, questions, timedCommand(server.directory, ["backup", at("beside")]));
    report({
      name: "search p99 beside a backup",
      value: percentile(beside, 0.99),
      unit: "ms",
      baseline: { name: "without", value: percentile(idle, 0.99) },
      goal: { atMost: 3 * percentile(idle, 0.99) },
    });

    await replaceSome(server, passages.slice(used));
    // Until what was deleted has been given back.
    await Bun.sleep(3000);
    const next = await timedCommand(server.directory, ["backup", at("next"), "--since", at("backup-0")]);
    compare(`the next one, ${100 * CHANGED_SHARE} % of the documents replaced`, [next], "the first", backups, 0.1);
    const first = folderBytes(at("backup-0")) / 1e6;
    report({
      name: "  on disk",
      value: unsharedBytes(at("next")) / 1e6,
      unit: "MB",
      baseline: { name: "the first", value: first },
      goal: { atMost: 0.1 * first },
    });
    const one = await timedCommand(server.directory, ["backup", at("one.tar.zst")]);
    report({ name: "backup as one file", value: one.seconds, unit: "s" });
    const verified = await timedCommand(null, ["backup", "verify", at("next")]);
    report({ name: "verifying the folder", value: verified.seconds, unit: "s" });
    const restoring: Spent[] = [];
    const eagerCopies: Spent[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      eagerCopies.push(await timedCopy(server.directory, at(`eager-copy-${round}`), EAGER));
      restoring.push(await timedCommand(at(`restored-${round}`), ["restore", at("next")]));
    }
    compare("restoring a folder", restoring, "cp -r, flushed", eagerCopies, 2);
  } finally {
    await server.stop();
    if (options.keep === null) server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes of the files below a folder that lie nowhere else. */
function unsharedBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => statSync(join(entry.parentPath, entry.name)))
    .filter((found) => found.isFile() && found.nlink === 1)
    .reduce((sum, { size }) => sum + size, 0);
}

/** Milliseconds of each search of one client, until the other work has ended. */
async function searching(server: BenchServer, questions: readonly string[], work: Promise<unknown>): Promise<number[]> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  const times: number[] = [];
  for (let turn = 0; !isDone; turn++) {
    const started = performance.now();
    await server.search(questions[turn % questions.length]!);
    times.push(performance.now() - started);
    await Bun.sleep(PAUSE_MILLISECONDS);
  }
  await done;
  return times;
}

/** What a backup leaves out is not copied either. */
async function timedCopy(from: string, to: string, niceness: number): Promise<Spent> {
  const leftOut = ["indexes", "staging", "reserve", "cache"];
  const names = readdirSync(from).filter((name) => !leftOut.includes(name));
  const paths = names.map((name) => join(from, name));
  const copy = [
    "nice",
    "-n",
    String(niceness),
    "sh",
    "-c",
    'mkdir "$0" && cp -r "$@" "$0" && sync -f "$0"',
    to,
    ...paths,
  ];
  return await timedProcess(copy);
}

const timedCommand = (directory: string | null, words: readonly string[]): Promise<Spent> =>
  timedProcess([executable, ...words, "--data-dir", directory ?? tmpdir()]);

/** Throws what the process said when it failed. */
async function timedProcess(words: string[]): Promise<Spent> {
  const started = performance.now();
  const child = Bun.spawn(words, { stdin: "ignore", stdout: "ignore", stderr: "pipe", timeout: LIMIT });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${words.slice(0, 3).join(" ")} failed: ${errors}`);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, processor: Number(child.resourceUsage()!.cpuTime.total) / 1e6 };
}

/** Files here and there are deleted, and as many stored. */
async function replaceSome(server: BenchServer, passages: readonly string[]): Promise<void> {
  const { body } = await server.call("GET", "/v1/files?datasetId=bench");
  const { files } = body as { files: { fileId: string }[] };
  const step = Math.round(1 / CHANGED_SHARE);
  for (let index = 0; index < files.length; index += step) {
    const deleted = await server.call("DELETE", `/v1/files/${files[index]!.fileId}`);
    if (deleted.status !== 200) throw new Error(`a deletion answered ${deleted.status}`);
    const start = (index / step) * USUAL.passagesPerFile;
    const text = passages.slice(start, start + USUAL.passagesPerFile).join("\n\n");
    await server.upload(`replaced-${index}.txt`, text, USUAL.chunking);
  }
}
