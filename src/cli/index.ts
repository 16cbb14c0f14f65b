/** The command line: finds the command, reads its arguments and options, runs it, and turns errors into sentences and exit codes. */
import { version } from "../../package.json";
import { closestName } from "../foundation/closest.ts";
import { loadConfig, type Config } from "../options/config.ts";
import { requireOwner } from "../data-directory/owner.ts";
import { LecternError } from "../foundation/errors.ts";
import { configureLog, log } from "../foundation/log.ts";
import { commandWords, findCommand, parseArguments } from "./arguments.ts";
import { backupCommand } from "./backup/create.ts";
import { listBackupsCommand } from "./backup/list.ts";
import { restoreCommand } from "./backup/restore.ts";
import { verifyBackupCommand } from "./backup/verify.ts";
import type { Command } from "./command.ts";
import { compactCommand } from "./compact.ts";
import { completionsCommand } from "./completions.ts";
import { consoleCommands } from "./console.ts";
import { creditsCommands } from "./credits.ts";
import { customerCommands } from "./customer.ts";
import { datasetCommands } from "./dataset.ts";
import { doctorCommand } from "./doctor.ts";
import { extractCommand } from "./extract.ts";
import { fileCommands } from "./file.ts";
import { healthCommand } from "./health.ts";
import { commandHelp, overview } from "./help.ts";
import { ingestCommand } from "./ingest.ts";
import { keyCommands } from "./key.ts";
import { licensesCommand } from "./licenses.ts";
import { mcpCommand } from "./mcp.ts";
import { modelCommands } from "./model.ts";
import { queryCommand } from "./query.ts";
import { searchCommand } from "./search.ts";
import { serveCommand } from "./serve.ts";
import { systemSentence } from "./system-error.ts";
import { note, print, visible } from "./terminal.ts";
import { versionCommand } from "./version.ts";

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  serveCommand,
  ingestCommand,
  searchCommand,
  queryCommand,
  mcpCommand,
  ...datasetCommands,
  ...fileCommands,
  extractCommand,
  ...customerCommands,
  ...keyCommands,
  ...creditsCommands,
  ...modelCommands,
  ...consoleCommands,
  backupCommand,
  listBackupsCommand,
  verifyBackupCommand,
  restoreCommand,
  compactCommand,
  doctorCommand,
  healthCommand,
  completionsCommand(() => commands),
  licensesCommand,
  versionCommand,
];

const VERSION_FLAGS: readonly string[] = ["--version", "-V", "-v"];

/** Runs `lectern ARGV…` and resolves to the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(argv: string[]): Promise<number> {
  outliveReaders();
  try {
    return await run(argv);
  } catch (error) {
    if (!(error instanceof LecternError)) {
      const sentence = systemSentence(error);
      if (sentence === null) log.error("Unexpected failure", { cause: error });
      else log.debug("Cause", { cause: error });
      note(`lectern: ${visible(sentence ?? (error instanceof Error ? error.message : String(error)))}`);
      return 1;
    }
    if (error.cause !== undefined) log.debug("Cause", { cause: error.cause });
    note(`lectern: ${visible(error.message)}`);
    return error.code === "USAGE" ? 2 : 1;
  }
}

async function run(argv: string[]): Promise<number> {
  const words = commandWords(commands, argv);
  const isNamed = words.length > 0;
  if (words[0] === "help") return explain(argv.slice(argv.indexOf("help") + 1));
  if (argv.length === 0 || (!isNamed && argv.some((word) => word === "--help" || word === "-h"))) return explain([]);
  if (!isNamed && argv.some((word) => VERSION_FLAGS.includes(word))) return run(["version"]);

  const found = findCommand(commands, argv);
  if (!found) return refuseCommand(words, argv);
  const parsed = parseArguments(found.command, found.rest);
  if (parsed.help) {
    print(commandHelp(found.command));
    return 0;
  }
  const readConfig = (): Config => loadConfig({ flags: parsed.options, environment: process.env });
  const config = readConfig();
  configureLog({ level: config.logLevel, format: config.logFormat });
  const worksElsewhere = config.serverUrl !== null && found.command.options.includes("serverUrl");
  if (!found.command.forAnyUser && !worksElsewhere) requireOwner(config.dataDirectory);
  return found.command.run({
    config,
    readConfig,
    positionals: parsed.positionals,
    flags: parsed.flags,
    lists: parsed.lists,
    json: parsed.json,
  });
}

/** Whoever reads our output may go away first (`lectern search … | head`, a log collector that restarts): that ends nothing. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/** `lectern --help`, and `lectern help COMMAND`. */
function explain(words: string[]): number {
  const found = findCommand(commands, words);
  print(found ? commandHelp(found.command) : overview(commands, version));
  return 0;
}

/** An unknown command, none, or the first word alone of a two-word one. */
function refuseCommand(words: readonly string[], argv: readonly string[]): number {
  const [first, second] = words;
  if (first === undefined) {
    note("lectern: No command is named. `lectern --help` lists them.");
    return 2;
  }
  const family = commands.filter((command) => command.name.startsWith(`${first} `));
  const asked = argv.includes("--help") || argv.includes("-h");
  if (family.length > 0 && (asked || second === undefined)) {
    (asked ? print : note)(overview(family, version));
    return asked ? 0 : 2;
  }
  note(`lectern: ${unknownCommand(first, second, family)}`);
  return 2;
}

function unknownCommand(first: string, second: string | undefined, family: readonly Command[]): string {
  const names = (family.length > 0 ? family : commands).map(({ name }) => name);
  const both = `${first} ${second}`;
  if (family.length > 0) {
    const nearest = closestName(
      second!,
      names.map((name) => name.slice(first.length + 1)),
    );
    const hint = nearest ? `Did you mean "${first} ${nearest}"?` : `\`lectern ${first} --help\` lists what there is.`;
    return `There is no command "${both}". ${hint}`;
  }
  const nearest =
    closestName(both, names) ?? closestName(first, [...names, ...names.map((name) => name.split(" ")[0]!)]);
  return `There is no command "${first}". ${nearest ? `Did you mean "${nearest}"?` : "`lectern --help` lists them."}`;
}
