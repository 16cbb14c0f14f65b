/**
 * `bun run bench [startup] [search] [upload] [ingest] [durability] [answers] [index] [--chunks N] [--questions N] [--text FILE] [--keep DIR] [--rounds N] [--seed N] [--threads N] [--against NAME=VALUE]…`
 * `bun run bench damage [--repair] [--cases N] [--seed N] [--only CASE]`
 * `bun run bench large [--only NUMBER] [--text FILE]`
 * `bun run bench backup [--chunks N] [--questions N] [--text FILE] [--keep DIR]`
 * `bun run bench replace [--replacements N] [--text FILE]`
 * `bun run bench hostile [--seconds N] [--extract-seconds N]`
 * `bun run bench churn [--minutes N] [--seed N]`
 * `bun run bench grow [--chunks N] [--questions N] [--text FILE] [--keep DIR]`
 * `bun run bench quality [--questions FOLDER] [--against EXECUTABLE|NAME=VALUE]… [--variants] [--layout NAME]… [--model DIR]… [--per-pair N] [--rows N] [--without-server] [--without-answers] [--record FILE]`
 * `bun run bench quality --explain QUESTION [--questions FOLDER] [--model DIR]`
 * `bun run bench speech`
 * `bun run bench ocr [--text FILE] [--model FOLDER]`
 * `bun run bench calibrate --questions FOLDER [--model DIR]…`
 *
 * Measures dist/lectern over HTTP, or the build that LECTERN_BENCH_EXECUTABLE names; without names, everything. Figures of one run belong together: compare ratios.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { benchAnswers } from "./answers.ts";
import { benchBackup } from "./backup.ts";
import { benchCalibrate } from "./calibrate.ts";
import { benchChurn } from "./churn.ts";
import { benchDamage } from "./damage/index.ts";
import { benchDurability } from "./durability/index.ts";
import { benchGrow } from "./grow.ts";
import { benchHostile } from "./hostile/index.ts";
import type { BenchOptions } from "./options.ts";
import { benchIngest } from "./ingest.ts";
import { benchIndexStructures } from "./index-structures.ts";
import { benchLarge } from "./large.ts";
import { benchOcr } from "./ocr.ts";
import { benchQuality } from "./quality.ts";
import { benchReplace } from "./replace.ts";
import { benchSearch } from "./search.ts";
import { executable } from "./server.ts";
import { benchSpeech } from "./speech.ts";
import { benchStartup } from "./startup.ts";
import { benchUpload } from "./upload.ts";

const benches: Record<string, (options: BenchOptions) => Promise<void>> = {
  startup: benchStartup,
  search: benchSearch,
  upload: benchUpload,
  ingest: benchIngest,
  large: benchLarge,
  replace: benchReplace,
  backup: benchBackup,
  durability: benchDurability,
  damage: benchDamage,
  hostile: benchHostile,
  churn: benchChurn,
  grow: benchGrow,
  answers: benchAnswers,
  index: benchIndexStructures,
  quality: benchQuality,
  calibrate: benchCalibrate,
  speech: benchSpeech,
  ocr: benchOcr,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chunks: { type: "string", default: "100000" },
    questions: { type: "string" },
    text: { type: "string" },
    keep: { type: "string" },
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "500" },
    only: { type: "string" },
    repair: { type: "boolean", default: false },
    replacements: { type: "string", default: "10000" },
    minutes: { type: "string", default: "60" },
    seconds: { type: "string", default: "60" },
    "extract-seconds": { type: "string" },
    threads: { type: "string" },
    model: { type: "string", multiple: true, default: [] },
    against: { type: "string", multiple: true, default: [] },
    explain: { type: "string" },
    variants: { type: "boolean", default: false },
    layout: { type: "string", multiple: true, default: [] },
    "per-pair": { type: "string", default: "200" },
    rows: { type: "string", default: "40" },
    "without-server": { type: "boolean", default: false },
    "without-answers": { type: "boolean", default: false },
    record: { type: "string" },
  },
});
/**
 * Only by name: calibrating chooses numbers rather than measuring the product, and needs questions of its own; growing takes long;
 * the others look for faults, for as long as they are told.
 */
const byName = ["calibrate", "backup", "damage", "hostile", "churn", "grow", "large", "replace", "speech", "ocr"];
/** What is measured without the executable. */
const withoutExecutable = ["speech", "ocr"];
const names = positionals.length > 0 ? positionals : Object.keys(benches).filter((name) => !byName.includes(name));
const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined || (!existsSync(executable) && !names.every((name) => withoutExecutable.includes(name)))) {
  console.error(
    unknown !== undefined
      ? `There is no bench "${unknown}"; there are ${Object.keys(benches).join(", ")}.`
      : `${executable} is missing: run \`bun run build\` first.`,
  );
  process.exit(2);
}
const isCount = /^\d+$/.test(values.questions ?? "500");
const options: BenchOptions = {
  chunks: Number(values.chunks),
  questions: isCount ? Number(values.questions ?? 500) : 500,
  text: values.text ?? null,
  keep: values.keep ?? null,
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  cases: Number(values.cases),
  replacements: Number(values.replacements),
  minutes: Number(values.minutes),
  seconds: Number(values.seconds),
  extractSeconds: values["extract-seconds"] === undefined ? null : Number(values["extract-seconds"]),
  repair: values.repair,
  only: values.only === undefined ? null : Number(values.only),
  threads: values.threads === undefined ? null : Number(values.threads),
  questionFolder: isCount ? null : values.questions!,
  models: values.model,
  against: values.against,
  explain: values.explain ?? null,
  variants: values.variants || isCount,
  layouts: values.layout,
  perPair: Number(values["per-pair"]),
  rows: Number(values.rows),
  withServer: !values["without-server"],
  withAnswers: !values["without-answers"],
  record: values.record ?? null,
};
for (const name of names) {
  console.log(`\n${name}`);
  await benches[name]!(options);
}
