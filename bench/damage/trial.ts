/** One damage: a server is started on it, asked everything it should know, examined by `doctor`, stopped, and judged. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../client.ts";
import { runCommand, ServerProcess } from "../server-process.ts";
import { differences, observe, type Observation, type Observations } from "./observation.ts";
import { ENVIRONMENT, type Sound } from "./sound.ts";

const STOP_LIMIT = 10_000;

/** From the worst to the best. */
export const OUTCOMES = ["hang", "originals lost", "crash", "silent", "content", "said", "mended"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Verdict {
  readonly outcome: Outcome;
  /** What was seen, for people. */
  readonly details: readonly string[];
}

export interface Trial {
  readonly directory: string;
  readonly sound: Sound;
  readonly truth: Observations;
  /** Of the undamaged directory: these say nothing. */
  readonly usualFindings: ReadonlySet<string>;
  /** The id of the stored file that was damaged, or null. */
  readonly damagedFile: string | null;
  /** Whether what a file says was changed where only a checksum of the database's could tell. */
  readonly isContent: boolean;
  readonly cache: string | null;
}

/** All that came of starting a server, before it is judged. */
export interface Course {
  readonly start: "ready" | "exited" | "hangs";
  readonly exitCode: number | null;
  readonly errors: string;
  readonly logLines: readonly string[];
  readonly seen: Observations;
  readonly findings: ReadonlySet<string>;
  readonly doctorHangs: boolean;
  readonly obeyed: boolean;
}

export async function run({ directory, sound, cache }: Pick<Trial, "directory" | "sound" | "cache">): Promise<Course> {
  const environment: Record<string, string> = cache === null ? {} : { LECTERN_CACHE_DIR: cache };
  const server = new ServerProcess(directory, { ...ENVIRONMENT, ...environment });
  const start = await server.ready();
  const clientOf = (key: string) => new Client(server, key);
  const seen = start === "ready" ? await observe(directory, clientOf, sound.holdings) : new Map<string, Observation>();
  const { findings, isLate } = await examine(directory, environment);
  const { exitCode } = server;
  const obeyed = start === "exited" || (await server.stop("SIGTERM", STOP_LIMIT));
  return {
    start,
    exitCode,
    errors: server.errors,
    logLines: server.log.map(({ level, message }) => `${level}: ${message}`),
    seen,
    findings,
    doctorHangs: isLate,
    obeyed,
  };
}

export async function tryOut(trial: Trial): Promise<Verdict> {
  const course = await run(trial);
  const wrong = differences(trial.truth, course.seen);
  const lost = lostOriginals(trial);
  const findings = [...course.findings].filter((finding) => !trial.usualFindings.has(finding));
  const refusal =
    course.start === "exited" ? [`ended with ${course.exitCode}: ${course.errors.trim().slice(0, 400)}`] : [];
  const hangs = [
    course.start === "hangs" && "neither ready nor ended",
    course.doctorHangs && "doctor does not end",
    !course.obeyed && "SIGTERM is not obeyed",
    wrong.some(({ observation }) => observation.isLate) && "a request is not answered",
  ];
  const details = [
    ...hangs.filter((hang) => hang !== false),
    ...refusal,
    ...lost.map((fileId) => `the bytes of ${fileId} are nowhere`),
    ...wrong.slice(0, 4).map(({ subject, observation }) => `${subject}: ${describe(observation)}`),
    ...(wrong.length > 4 ? [`${wrong.length - 4} more wrong answers`] : []),
    ...course.logLines.slice(0, 3),
    ...findings.map((finding) => `doctor: ${finding}`),
  ];
  return {
    outcome: hangs.some(Boolean)
      ? "hang"
      : judge(
          trial,
          course,
          wrong.map(({ observation }) => observation),
          lost.length,
          findings.length,
        ),
    details,
  };
}

function judge(trial: Trial, course: Course, wrong: readonly Observation[], lost: number, findings: number): Outcome {
  if (lost > 0) return "originals lost";
  if (course.exitCode !== null && !isClear(course)) return "crash";
  if (course.start === "exited") return "said";
  if (wrong.length === 0) return "mended";
  // An error of the server's own is said by itself; one that blames the caller, or no answer, is not.
  const isSaid = course.logLines.length > 0 || findings > 0 || wrong.every(({ status }) => status >= 500);
  if (isSaid) return "said";
  return trial.isContent ? "content" : "silent";
}

/** An exit code of its own and a sentence, rather than a signal or a trace of code. */
function isClear({ exitCode, errors }: Course): boolean {
  return (
    (exitCode === 1 || exitCode === 2) &&
    errors.trim() !== "" &&
    !/^\s+at .+:\d+/m.test(errors) &&
    !/\\n\s+at /.test(errors)
  );
}

function describe({ status, value }: Observation): string {
  return status === 200 ? `another answer (${value.length} characters)` : `status ${status}`;
}

/** What `doctor` says beyond "good", as subject and state; `--deep` where it knows that. */
async function examine(
  directory: string,
  environment: Record<string, string>,
): Promise<{ findings: Set<string>; isLate: boolean }> {
  let result = await runCommand(directory, ["doctor", "--deep", "--json"], { environment });
  if (result.code === 2) result = await runCommand(directory, ["doctor", "--json"], { environment });
  if (!result.output.startsWith("["))
    return {
      findings: new Set([`it ended with ${result.code}: ${result.errors.trim().slice(0, 200)}`]),
      isLate: result.code === null,
    };
  const findings = JSON.parse(result.output) as { subject: string; state: string }[];
  return {
    findings: new Set(
      findings.filter(({ state }) => state !== "good").map(({ subject, state }) => `${subject} is ${state}`),
    ),
    isLate: false,
  };
}

/** Files whose bytes are no longer anywhere below the directory, though they were not what was damaged. */
export function lostOriginals({ directory, sound, damagedFile }: Trial): string[] {
  const sizes = new Set([...sound.originals.values()].map(({ size }) => size));
  const hashes = new Set<string>();
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && sizes.has(statSync(path).size))
      hashes.add(new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex"));
  }
  return [...sound.originals]
    .filter(([fileId, { sha256 }]) => fileId !== damagedFile && !hashes.has(sha256))
    .map(([fileId]) => fileId);
}
