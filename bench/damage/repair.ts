/**
 * One damage given to `doctor --repair`, now and then killed amid it first: what could be kept must be kept, what is lost be named, a second
 * run find nothing to mend, and a server start and answer as before but for what was lost.
 */
import { runCommand } from "../server-process.ts";
import { differences, type Observation } from "./observation.ts";
import { lostOriginals, run, type Trial } from "./trial.ts";

/** From the worst to the best. */
export const REPAIRS = [
  "hang",
  "originals lost",
  "crash",
  "unnamed",
  "again",
  "content",
  "left",
  "refused",
  "named",
  "kept",
] as const;
export type Repair = (typeof REPAIRS)[number];

export interface RepairVerdict {
  readonly outcome: Repair;
  /** What was seen, for people. */
  readonly details: readonly string[];
}

/** What `doctor --repair --json` prints. */
interface Report {
  readonly steps: readonly string[];
  readonly lost: readonly Loss[];
  readonly notIndexed?: readonly unknown[];
  readonly wrong?: readonly { readonly subject: string; readonly sentence: string }[];
}

interface Loss {
  readonly kind: "file" | "customer" | "key" | "tokens" | "changes";
  readonly id: string | null;
  readonly sentence: string;
}

const REPAIR_LIMIT = 120_000;
const WORDS = ["doctor", "--repair", "--deep", "--yes", "--json"];

/** `killedAfter`: milliseconds after which a first run is killed; null: there is none. */
export async function tryRepair(trial: Trial, killedAfter: number | null): Promise<RepairVerdict> {
  const { directory } = trial;
  const lost: Loss[] = [];
  if (killedAfter !== null) {
    // What a killed run has already taken away it would have named; the plan beforehand tells it.
    lost.push(
      ...((await report(directory, ["doctor", "--repair", "--deep", "--dry-run", "--json"])).report?.lost ?? []),
    );
    await runCommand(directory, WORDS, { limit: killedAfter });
  }
  const first = await report(directory, WORDS);
  if (first.code === null) return { outcome: "hang", details: ["the repair does not end"] };
  if (first.report === null)
    return first.errors.startsWith("lectern: ") && !/\n\s+at /.test(first.errors)
      ? { outcome: "refused", details: [first.errors.trim().slice(0, 400)] }
      : { outcome: "crash", details: [`it ended with ${first.code}: ${first.errors.trim().slice(0, 800)}`] };
  lost.push(...first.report.lost);
  const second = await report(directory, WORDS);
  const course = await run(trial);
  const wrong = differences(trial.truth, course.seen).filter(
    ({ subject, observation }) => !isNamed(trial, subject, observation, lost),
  );
  const missing = lostOriginals(trial);
  const findings = [...course.findings].filter(
    (finding) => !trial.usualFindings.has(finding) && finding.endsWith("is bad"),
  );
  const details = [
    ...first.report.steps.map((step) => `step: ${step.replaceAll(directory, "")}`),
    ...lost.map(({ kind, sentence }) => `lost ${kind}: ${sentence}`),
    ...(first.report.wrong ?? []).map(({ subject, sentence }) => `left: ${subject}: ${sentence}`),
    ...(second.report === null ? [`the second run ended with ${second.code}: ${second.errors.slice(0, 300)}`] : []),
    ...(second.report?.steps ?? []).map((step) => `second run: ${step}`),
    ...(course.start === "ready" ? [] : [`the server ${course.start}: ${course.errors.slice(0, 400)}`]),
    ...missing.map((fileId) => `the bytes of ${fileId} are nowhere`),
    ...wrong
      .slice(0, 4)
      .map(
        ({ subject, observation }) =>
          `${subject}: status ${observation.status}, ${observation.value.length} characters`,
      ),
    ...findings.map((finding) => `doctor: ${finding}`),
  ];
  const outcome = (): Repair => {
    if (course.start === "hangs" || course.doctorHangs || !course.obeyed) return "hang";
    if (missing.length > 0) return "originals lost";
    if (course.start !== "ready" || second.report === null) return "crash";
    if (wrong.length > 0) return trial.isContent ? "content" : "unnamed";
    if (second.report.steps.length > 0) return "again";
    if (findings.length > 0 || first.code !== 0) return "left";
    return lost.length > 0 ? "named" : "kept";
  };
  return { outcome: outcome(), details };
}

/** Whether an answer differs because of something that was named as lost. */
function isNamed({ sound }: Trial, subject: string, { status }: Observation, lost: readonly Loss[]): boolean {
  const has = (...kinds: Loss["kind"][]): boolean => lost.some(({ kind }) => kinds.includes(kind));
  const holding = sound.holdings.find(({ customerId }) => subject.includes(`${customerId}'s `));
  const dataset = holding?.datasets.find(({ datasetId }) => subject.includes(`${holding.customerId}'s ${datasetId}`));
  if (has("customer", "changes") && (subject === "balances" || [401, 402].includes(status))) return true;
  if (has("key") && [401, 404].includes(status)) return true;
  if (has("tokens", "customer") && /'s (token|download link)$/.test(subject)) return true;
  const gone = new Set(lost.filter(({ kind }) => kind === "file").map(({ id }) => id));
  if (subject.startsWith("the bytes of ")) return gone.has(subject.slice("the bytes of ".length));
  if (subject.endsWith("'s download link")) return holding !== undefined && gone.has(holding.datasets[0]!.fileIds[0]!);
  const concerned = subject.endsWith("'s token") ? holding?.datasets[0] : dataset;
  return concerned?.fileIds.some((fileId) => gone.has(fileId)) === true;
}

async function report(
  directory: string,
  words: readonly string[],
): Promise<{ code: number | null; errors: string; report: Report | null }> {
  const { code, output, errors } = await runCommand(directory, words, { limit: REPAIR_LIMIT });
  return { code, errors, report: output.trimStart().startsWith("{") ? (JSON.parse(output) as Report) : null };
}
