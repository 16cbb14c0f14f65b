/** lectern(1), from the tables of commands and options. */
import { version } from "../../package.json";
import { commands } from "../../src/cli/index.ts";
import { defaultOf } from "../../src/cli/help.ts";
import type { Command } from "../../src/cli/command.ts";
import { fileKeyOf, options, variableOf, type OptionName } from "../../src/options/config.ts";

/** The page as man(7) source. `seconds` is the time of the release. */
export function manPage(seconds: number): string {
  const date = new Date(seconds * 1000).toISOString().slice(0, 10);
  return [
    `.TH LECTERN 1 ${date} "Lectern ${version}" "User Commands"`,
    ".SH NAME",
    "lectern \\- document search for a private server",
    ".SH SYNOPSIS",
    ".B lectern",
    "\\fICOMMAND\\fR [\\fIOPTIONS\\fR]",
    ".SH DESCRIPTION",
    text(
      "Lectern finds the passages of documents that answer a question, in the question's language and across languages. It is one program: a server, and the commands that work with it or with its data directory. It needs no network.",
    ),
    ".SH COMMANDS",
    ...commands.flatMap(commandEntry),
    ".SH OPTIONS",
    text(
      "Each command takes those of them that concern it; --help tells which. Each is also a variable, and most are a key in lectern.toml in the data directory. Flags win over variables, variables over lectern.toml.",
    ),
    ...(Object.keys(options) as OptionName[]).flatMap(optionEntry),
    ...entry("\\fB\\-\\-json\\fR", "Prints records for programs."),
    ...entry("\\fB\\-\\-help\\fR", "Prints what the command takes."),
    ".SH EXIT STATUS",
    ...entry("0", "Done."),
    ...entry("1", "Failed; one sentence on standard error says why and what to do."),
    ...entry("2", "Wrong usage."),
    ...entry("130", "Interrupted by Ctrl-C, with what was under way finished."),
    ".SH SIGNALS",
    text(
      "SIGTERM and SIGINT stop the server in good order: running requests are finished, new ones refused. A second one ends it at once. Where NOTIFY_SOCKET is set, the server tells systemd when it is ready and when it stops, and with WATCHDOG_USEC that it lives.",
    ),
    ".SH FILES",
    ...entry("\\fI/etc/default/lectern\\fR", "Options of the service, as variables (Debian package)."),
    ...entry("\\fI/var/lib/lectern\\fR", "The service's data directory (Debian package)."),
    ...entry("\\fIlectern.toml\\fR", "In the data directory: options."),
    ...entry("\\fI.lecternignore\\fR", "In folders: what ingest leaves out, as .gitignore says it for git."),
    ".SH SEE ALSO",
    ".BR systemctl (1),",
    ".BR journalctl (1)",
    "",
  ].join("\n");
}

function commandEntry({ name, usage, summary, flags, notes = [] }: Command): string[] {
  const title = source(`lectern ${name} ${usage}`.trim()).replaceAll('"', '""');
  const flagEntries = Object.entries(flags).flatMap(([flag, { value, sentence, required }]) =>
    entry(
      `\\fB\\-\\-${source(flag)}\\fR${value === null ? "" : ` \\fI${source(value)}\\fR`}`,
      required ? `${sentence} Required.` : sentence,
    ),
  );
  const remarks = notes.length === 0 ? [] : [".PP", notes.map(text).join("\n.br\n")];
  return [`.SS "${title}"`, text(summary), ...flagEntries, ...remarks];
}

function optionEntry(name: OptionName): string[] {
  const option = options[name];
  const key = fileKeyOf(name);
  const places = key === null ? variableOf(name) : `${variableOf(name)}, ${key}`;
  return entry(
    `\\fB\\-\\-${source(option.flag)}\\fR`,
    `${option.sentence} (${option.accepts}; default: ${defaultOf(name)}; ${places})`,
  );
}

/** `title` is source; the sentence is text. */
const entry = (title: string, sentence: string): string[] => [".TP", title, text(sentence)];

/** A paragraph: a line of it that begins with a dot is no request. */
const text = (sentence: string): string => source(sentence).replace(/^(?=[.'])/gm, "\\&");

/** So that troff reads every character as itself. */
const source = (sentence: string): string =>
  sentence
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha")
    .replaceAll("`", "\\(ga")
    .replace(
      /[^\n -~]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
