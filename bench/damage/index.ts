/**
 * Damages to one file at a time, of every kind that a data directory holds: is it mended, is it said, or is something wrong,
 * missing or slow without a word? With `--repair`: does `doctor --repair` keep what can be kept and name what is lost? SIGINT ends it after the cases under way, with the table of those that were tried.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { BenchOptions } from "../options.ts";
import { Random } from "../random.ts";
import { timed } from "../server.ts";
import { ServerProcess } from "../server-process.ts";
import { report } from "../statistics.ts";
import { applies, CONTENT_FAULTS, faults, type Target } from "./faults.ts";
import { differences } from "./observation.ts";
import { filesByKind } from "./places.ts";
import { REPAIRS, tryRepair, type Repair, type RepairVerdict } from "./repair.ts";
import { copyFolder, makeSound, type Sound } from "./sound.ts";
import { OUTCOMES, run, tryOut, type Course, type Outcome, type Verdict } from "./trial.ts";

const AT_ONCE = 2;
const REPORT_EVERY = 50;
/** Milliseconds into a repair that is killed. */
const KILLED_AFTER = { least: 100, spread: 2500 };
/** What is printed case by case only when it is asked for. */
const EXPECTED: ReadonlySet<Outcome | Repair> = new Set(["mended", "said", "named", "kept"]);
const DATABASE = /\.db(-wal)?$/;

interface Case {
  readonly number: number;
  readonly kind: string;
  readonly fault: string;
  /** In the data directory. */
  readonly path: string;
  readonly older: string | null;
}

export async function benchDamage(options: BenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "lectern-bench-damage-"));
  try {
    const sound = await makeSound(folder);
    const usual = await usualCourse(folder, sound);
    const cases = chooseCases(sound, options.repair ? null : await makeCache(folder), options);
    const verdicts: { damage: Case; verdict: Verdict | RepairVerdict }[] = [];
    let isStopped = false;
    process.once("SIGINT", () => (isStopped = true));
    await timed(cases, AT_ONCE, async (damage) => {
      if (isStopped) return;
      const directory = join(folder, `case-${damage.number}`);
      await copyFolder(sound.directory, directory);
      const inCache = damage.path.startsWith("cache/");
      if (inCache) await copyFolder(join(folder, "cache"), join(directory, "cache"));
      faults[damage.fault]!(targetOf(directory, damage), new Random(options.seed + damage.number));
      const trial = {
        directory,
        sound,
        truth: usual.seen,
        usualFindings: usual.findings,
        damagedFile: sound.originals.has(basename(damage.path)) ? basename(damage.path) : null,
        // What was charged since is not noticed missing.
        isContent:
          (DATABASE.test(damage.path) && CONTENT_FAULTS.has(damage.fault)) ||
          (damage.path === "access.db" && damage.fault === "an older version"),
        cache: inCache ? join(directory, "cache") : null,
      };
      const verdict = options.repair ? await tryRepair(trial, killedAfter(damage, options)) : await tryOut(trial);
      verdicts.push({ damage, verdict });
      if (options.only !== null || !EXPECTED.has(verdict.outcome)) {
        console.log(`case ${damage.number}: ${damage.path}, ${damage.fault}: ${verdict.outcome}`);
        for (const detail of verdict.details) console.log(`    ${detail}`);
      }
      if (verdicts.length % REPORT_EVERY === 0) console.log(`${verdicts.length} of ${cases.length} cases`);
      rmSync(directory, { recursive: true, force: true });
    });
    printTable(verdicts, options.repair ? REPAIRS : OUTCOMES);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the undamaged directory answers; twice, and once with its indexes made again, so that nothing is blamed on a damage that comes without one. */
async function usualCourse(folder: string, sound: Sound): Promise<Course> {
  const courses: Course[] = [];
  for (const [number, removed] of [null, null, "indexes"].entries()) {
    const directory = join(folder, `undamaged-${number}`);
    await copyFolder(sound.directory, directory);
    if (removed !== null) rmSync(join(directory, removed), { recursive: true });
    const course = await run({ directory, sound, cache: null });
    rmSync(directory, { recursive: true });
    if (course.start !== "ready") throw new Error(`the undamaged data directory does not serve: ${course.errors}`);
    const failed = [...course.seen].find(([, { status }]) => status !== 200);
    if (failed !== undefined)
      throw new Error(`the undamaged data directory answers ${failed[0]} with ${failed[1].status}`);
    courses.push(course);
  }
  const [first, ...others] = courses;
  for (const { seen } of others) {
    for (const { subject } of differences(first!.seen, seen)) {
      console.log(`not compared, since it differs from start to start: ${subject}`);
      for (const { seen: any } of courses) any.delete(subject);
    }
  }
  const [chatty] = courses.flatMap(({ logLines }) => logLines);
  if (chatty !== undefined) throw new Error(`the undamaged data directory is complained of: ${chatty}`);
  return first!;
}

/** Unpacked as a first start does it. */
async function makeCache(folder: string): Promise<string> {
  const cache = join(folder, "cache");
  const server = new ServerProcess(join(folder, "elsewhere"), { LECTERN_CACHE_DIR: cache });
  if ((await server.ready()) !== "ready") throw new Error(`nothing was unpacked: ${server.errors}`);
  await server.stop();
  return cache;
}

/** Every fault of every kind in a shuffled order, over and over, each time to another file of the kind. */
function chooseCases(sound: Sound, cache: string | null, { cases, seed, only }: BenchOptions): Case[] {
  const random = new Random(seed);
  const inCache = cache === null ? new Map<string, string[]>() : filesByKind(join(cache, ".."));
  const places = [...filesByKind(sound.directory), ...[...inCache].filter(([, [path]]) => path!.startsWith("cache/"))];
  const older = new Set([...filesByKind(sound.older).values()].flat());
  const chosen: Case[] = [];
  for (let barren = 0; chosen.length < cases && barren < 2; barren++) {
    const deck = shuffled(
      places.flatMap(([kind, paths]) => Object.keys(faults).map((fault) => ({ kind, paths, fault }))),
      random,
    );
    for (const { kind, paths, fault } of deck) {
      const path = random.pick(paths)!;
      const another = random.pick(paths.filter((candidate) => candidate !== path)) ?? null;
      const earlier = path.startsWith("files/")
        ? another && join(sound.directory, another)
        : older.has(path)
          ? join(sound.older, path)
          : null;
      const damage: Case = { number: chosen.length + 1, kind, fault, path, older: earlier };
      const from = path.startsWith("cache/") ? join(cache!, "..") : sound.directory;
      if (chosen.length === cases || !applies(fault, targetOf(from, damage))) continue;
      chosen.push(damage);
      barren = 0;
    }
  }
  return only === null ? chosen : chosen.filter(({ number }) => number === only);
}

function targetOf(directory: string, { path, older }: Case): Target {
  return { path: join(directory, path), older, stranger: join(directory, "secret") };
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}

/** Every other repair is first killed amid its work, earlier or later. */
function killedAfter({ number }: Case, { seed }: BenchOptions): number | null {
  return number % 2 === 0 ? KILLED_AFTER.least + new Random(seed + number).below(KILLED_AFTER.spread) : null;
}

interface Judged {
  readonly damage: Case;
  readonly verdict: { readonly outcome: Outcome | Repair };
}

function printTable(verdicts: readonly Judged[], outcomes: readonly (Outcome | Repair)[]): void {
  const row = (name: string, cells: readonly (string | number)[]) =>
    console.log(`${name.padEnd(34)} ${cells.map((cell) => String(cell).padStart(15)).join("")}`);
  const counts = (of: readonly Judged[]) =>
    outcomes.map((outcome) => of.filter(({ verdict }) => verdict.outcome === outcome).length);
  for (const by of ["kind", "fault"] as const) {
    row(`\n${by === "kind" ? "damaged file" : "damage"}`, outcomes);
    for (const [name, of] of [...Map.groupBy(verdicts, ({ damage }) => damage[by])].sort())
      row(
        name,
        counts(of).map((count) => count || "·"),
      );
  }
  console.log();
  const goals: Partial<Record<Outcome | Repair, { atMost: number }>> = {
    hang: { atMost: 0 },
    "originals lost": { atMost: 0 },
    crash: { atMost: 0 },
    silent: { atMost: 0 },
    unnamed: { atMost: 0 },
    again: { atMost: 0 },
  };
  const names: Record<Outcome | Repair, string> = {
    hang: "hangs",
    "originals lost": "originals lost that were not damaged",
    crash: "ended without a sentence",
    silent: "wrong or missing answers in silence",
    content: "silent in the database's content",
    said: "said: refusal, error, warning or doctor",
    mended: "right answers all the same",
    unnamed: "repaired, with something wrong or missing that is not named",
    again: "repaired, and a second run finds something",
    left: "repaired but for what it says is left",
    refused: "not repaired, and said why",
    named: "repaired, what is lost being named",
    kept: "repaired, and nothing lost",
  };
  for (const outcome of outcomes)
    report({
      name: names[outcome],
      value: verdicts.filter(({ verdict }) => verdict.outcome === outcome).length,
      unit: "",
      goal: goals[outcome],
    });
}
