/**
 * Backups beside a server, against copying the same directory: what they take, what the next one takes after one document in a hundred was
 * replaced, what searches notice, and how restoring compares. Copies count until they are on disk, as backups do.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { syncFileSystem } from "../src/native/sync-file-system.ts";
import { fill, USUAL } from "./fill.ts";
import type { BenchOptions } from "./options.ts";
import { folderBytes } from "./process-figures.ts";
import { BenchServer } from "./server.ts";
import { runCommand } from "./server-process.ts";
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

    const copies: number[] = [];
    const backups: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      copies.push(await timedCopy(server.directory, at("copy"), PATIENT));
      rmSync(at("copy"), { recursive: true });
      backups.push(await timedCommand(server.directory, ["backup", at(`backup-${round}`)]));
      if (round > 0) rmSync(at(`backup-${round}`), { recursive: true });
    }
    report({
      name: "backup as a folder",
      value: Math.min(...backups),
      unit: "s",
      baseline: { name: "cp -r, flushed", value: Math.min(...copies) },
      goal: { atMost: 1.5 * Math.min(...copies) },
    });

    const beside = await searching(server, questions, timedCommand(server.directory, ["backup", at("beside")]));
    report({
      name: "search p99 beside a backup",
      value: percentile(beside, 0.99),
      unit: "ms",
      baseline: { name: "without", value: percentile(idle, 0.99) },
      goal: { atMost: 3 * percentile(idle, 0.99) },
    });
    rmSync(at("beside"), { recursive: true });

    await replaceSome(server, passages.slice(used));
    // Until what was deleted has been given back.
    await Bun.sleep(3000);
    report({
      name: `the next one, ${100 * CHANGED_SHARE} % of the documents replaced`,
      value: await timedCommand(server.directory, ["backup", at("next"), "--since", at("backup-0")]),
      unit: "s",
      baseline: { name: "the first", value: Math.min(...backups) },
      goal: { atMost: 0.1 * Math.min(...backups) },
    });
    report({
      name: "backup as one file",
      value: await timedCommand(server.directory, ["backup", at("one.tar.zst")]),
      unit: "s",
    });
    report({
      name: "verifying the folder",
      value: await timedCommand(null, ["backup", "verify", at("next")]),
      unit: "s",
    });
    const restoring: number[] = [];
    const eagerCopies: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      eagerCopies.push(await timedCopy(server.directory, at("copy"), EAGER));
      rmSync(at("copy"), { recursive: true });
      restoring.push(await timedCommand(at("restored"), ["restore", at("next")]));
      rmSync(at("restored"), { recursive: true });
    }
    report({
      name: "restoring a folder",
      value: Math.min(...restoring),
      unit: "s",
      baseline: { name: "cp -r, flushed", value: Math.min(...eagerCopies) },
      goal: { atMost: 2 * Math.min(...eagerCopies) },
    });
  } finally {
    await server.stop();
    if (options.keep === null) server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
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

/** Seconds. What a backup leaves out is not copied either. */
async function timedCopy(from: string, to: string, niceness: number): Promise<number> {
  const leftOut = ["indexes", "staging", "reserve", "cache"];
  const names = readdirSync(from).filter((name) => !leftOut.includes(name));
  const started = performance.now();
  const { exitCode } = Bun.spawnSync([
    "nice",
    "-n",
    String(niceness),
    "sh",
    "-c",
    'mkdir "$0" && cp -r "$@" "$0"',
    to,
    ...names.map((name) => join(from, name)),
  ]);
  if (exitCode !== 0) throw new Error("cp failed");
  syncFileSystem(to);
  return (performance.now() - started) / 1000;
}

/** Seconds. Throws what the command said when it failed. */
async function timedCommand(directory: string | null, words: readonly string[]): Promise<number> {
  const started = performance.now();
  const { code, errors, output } = await runCommand(directory ?? tmpdir(), words, { limit: LIMIT });
  if (code !== 0) throw new Error(`lectern ${words.join(" ")} failed: ${errors || output}`);
  return (performance.now() - started) / 1000;
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
