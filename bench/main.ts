/**
 * `bun run bench [startup] [search] [upload] [durability] [index] [--chunks N] [--questions N] [--text FILE] [--keep DIR] [--rounds N]`
 *
 * Measures dist/lectern over HTTP; without names, everything. Figures of one run belong together: compare ratios.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { benchDurability } from "./durability.ts";
import type { BenchOptions } from "./options.ts";
import { benchIndexStructures } from "./index-structures.ts";
import { benchSearch } from "./search.ts";
import { executable } from "./server.ts";
import { benchStartup } from "./startup.ts";
import { benchUpload } from "./upload.ts";

const benches: Record<string, (options: BenchOptions) => Promise<void>> = {
  startup: benchStartup,
  search: benchSearch,
  upload: benchUpload,
  durability: benchDurability,
  index: benchIndexStructures,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chunks: { type: "string", default: "100000" },
    questions: { type: "string", default: "500" },
    text: { type: "string" },
    keep: { type: "string" },
    rounds: { type: "string", default: "50" },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(benches);
const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined || !existsSync(executable)) {
  console.error(unknown !== undefined ? `There is no bench "${unknown}"; there are ${Object.keys(benches).join(", ")}.` : `${executable} is missing: run \`bun run build\` first.`);
  process.exit(2);
}
const options: BenchOptions = {
  chunks: Number(values.chunks),
  questions: Number(values.questions),
  text: values.text ?? null,
  keep: values.keep ?? null,
  rounds: Number(values.rounds),
};
for (const name of names) {
  console.log(`\n${name}`);
  await benches[name]!(options);
}
