/** Writes the README's table of options from src/options/config.ts: `bun scripts/options-table.ts`. A test compares the two. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileKeyOf, options, variableOf, type OptionName } from "../src/options/config.ts";
import { defaultOf } from "../src/cli/help.ts";

/** The table in Markdown, without a final newline. */
export function optionsTable(): string {
  const rows = (Object.keys(options) as OptionName[]).map((name) => {
    const option = options[name];
    const key = fileKeyOf(name);
    const secret = "secret" in option && option.secret ? `, \`${variableOf(name)}_FILE\`` : "";
    const cells = [
      `\`--${option.flag}\``,
      `\`${variableOf(name)}\`${secret}`,
      key === null ? "" : `\`${key}\``,
      defaultOf(name),
      `${option.sentence} (${option.accepts})`,
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return ["| flag | variable | in lectern.toml | default | meaning |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** Where the table stands in the README: between two comments. */
export const tablePlace = /(<!-- options: .* -->\n)([\s\S]*?)(\n<!-- end of options -->)/;

if (import.meta.main) {
  const path = join(import.meta.dir, "../README.md");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(
      tablePlace,
      (_whole, before: string, _table, after: string) => before + optionsTable() + after,
    ),
  );
}
