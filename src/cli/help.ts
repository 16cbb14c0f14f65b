/** The texts of `--help`: the list of commands, and one command with its flags. */
import { fileKeyOf, options, variableOf, type OptionName } from "../options/config.ts";
import type { Option } from "../options/option-kinds.ts";
import type { Command } from "./command.ts";
import { columns, wrap } from "./terminal.ts";

/** All commands, for `lectern --help`. */
export function overview(commands: readonly Command[], version: string): string {
  const rows = commands.map(
    (command) => [`  ${command.name} ${usageOf(command)}`, command.summary] as [string, string],
  );
  return [
    `Lectern ${version}: document search for a private server.`,
    "",
    "Usage: lectern COMMAND [OPTIONS]",
    "",
    ...twoColumns(rows),
    "",
    "Every command takes --data-dir DIR, --help, and --json where it prints records; options may stand before it too.",
    "`lectern COMMAND --help` tells more. Exit code: 0 done, 1 failed, 2 wrong usage.",
  ].join("\n");
}

/** One command with all its flags. */
export function commandHelp(command: Command): string {
  const own = Object.entries(command.flags).map(
    ([name, flag]) =>
      [
        `  --${name}${flag.value === null ? "" : ` ${flag.value}`}`,
        flag.required ? `${flag.sentence} Required.` : flag.sentence,
      ] as [string, string],
  );
  const general = command.options.map((name) => optionRow(name));
  return [
    `Usage: lectern ${command.name} ${command.usage} [OPTIONS]`.replace(/ +/g, " "),
    "",
    ...wrap(command.summary, columns()),
    ...(own.length > 0 ? ["", "Options of this command:", ...twoColumns(own)] : []),
    "",
    "General options (flag, or variable, or a line in lectern.toml where a key is named):",
    ...twoColumns([...general, ["  --json", "Prints records for programs."], ["  --help", "Prints this."]]),
    ...(command.notes ? ["", ...command.notes] : []),
  ].join("\n");
}

/** The default as tables print it. */
export function defaultOf(name: OptionName): string {
  const option = options[name] as Option<unknown>;
  return option.defaultText ?? String(option.default);
}

function optionRow(name: OptionName): [string, string] {
  const option = options[name];
  const key = fileKeyOf(name);
  const places = key === null ? variableOf(name) : `${variableOf(name)}, ${key}`;
  return [`  --${option.flag}`, `${option.sentence} (${option.accepts}; default: ${defaultOf(name)}; ${places})`];
}

function usageOf(command: Command): string {
  const required = Object.entries(command.flags)
    .filter(([, flag]) => flag.required)
    .map(([name, flag]) => `--${name} ${flag.value}`);
  return [command.usage, ...required.filter((text) => !command.usage.includes(text))].filter(Boolean).join(" ");
}

function twoColumns(rows: readonly [string, string][]): string[] {
  const left = Math.min(34, Math.max(...rows.map(([name]) => name.length)) + 2);
  return rows.flatMap(([name, sentence]) => {
    const lines = wrap(sentence, Math.max(30, columns() - left));
    const first = name.length + 2 <= left ? [`${name.padEnd(left)}${lines.shift() ?? ""}`] : [name];
    return [...first, ...lines.map((line) => " ".repeat(left) + line)];
  });
}
