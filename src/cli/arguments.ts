/** Reads a command line by a command's own description of it, and answers mistakes with the nearest right spelling. */
import { closestName } from "../foundation/closest.ts";
import { options } from "../options/config.ts";
import { fail } from "../foundation/errors.ts";
import type { Command } from "./command.ts";

export interface ParsedArguments {
  positionals: string[];
  /** The command's own flags. */
  flags: Record<string, string>;
  /** Those of them that may be given several times, in order. */
  lists: Record<string, string[]>;
  /** Flags of `config.ts`, by flag name. */
  options: Record<string, string>;
  json: boolean;
  help: boolean;
}

/**
 * Finds the command whose one or two words come first in `argv`; options may stand before it and between its words. `rest` is what
 * else there is, in its order. Null when the first words are no command.
 */
export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { command: Command; rest: string[] } | null {
  const places = firstWords(commands, argv);
  for (const count of [2, 1]) {
    const taken = places.slice(0, count);
    const name = taken.map((place) => argv[place]).join(" ");
    const command = commands.find((candidate) => candidate.name === name);
    if (command) return { command, rest: argv.filter((_word, place) => !taken.includes(place)) };
  }
  return null;
}

/** The first two words of `argv` that are neither options nor their values, at least as many as there are. */
export function commandWords(commands: readonly Command[], argv: readonly string[]): string[] {
  return firstWords(commands, argv).map((place) => argv[place]!);
}

/** Places in `argv`. What an option takes is known before the command is: none is a switch here and takes a value there. */
function firstWords(commands: readonly Command[], argv: readonly string[]): number[] {
  const takesValue = new Set<string>(Object.values(options).map(({ flag }) => flag));
  for (const { flags } of commands)
    for (const [name, { value }] of Object.entries(flags)) if (value !== null) takesValue.add(name);
  const places: number[] = [];
  for (let place = 0; place < argv.length && places.length < 2 && argv[place] !== "--"; place++) {
    const word = argv[place]!;
    if (!word.startsWith("-") || word === "-") places.push(place);
    else if (word.startsWith("--") && takesValue.has(word.slice(2))) place++;
  }
  return places;
}

/** Reads what follows the command's name. Throws USAGE. `--` ends the flags; `--flag=value` and `--flag value` are the same. */
export function parseArguments(command: Command, argv: readonly string[]): ParsedArguments {
  const parsed: ParsedArguments = { positionals: [], flags: {}, lists: {}, options: {}, json: false, help: false };
  const optionFlags = command.options.map((name) => options[name].flag);
  const words = [...argv];
  while (words.length > 0) {
    const word = words.shift()!;
    if (word === "--") {
      parsed.positionals.push(...words);
      break;
    }
    if (word === "-h" || word === "--help") parsed.help = true;
    else if (word === "--json") parsed.json = true;
    else if (!word.startsWith("-") || word === "-") parsed.positionals.push(word);
    else readFlag(command, optionFlags, word, words, parsed);
  }
  if (!parsed.help) checkComplete(command, parsed);
  return parsed;
}

function readFlag(
  command: Command,
  optionFlags: readonly string[],
  word: string,
  words: string[],
  parsed: ParsedArguments,
): void {
  const equals = word.indexOf("=");
  const name = (equals < 0 ? word : word.slice(0, equals)).replace(/^--?/, "");
  const own = Object.hasOwn(command.flags, name) ? command.flags[name]! : null;
  if (!word.startsWith("--") || (!own && !optionFlags.includes(name)))
    throw unknownFlag(command, optionFlags, name, word);

  if (own?.value === null) {
    if (equals >= 0) throw fail("USAGE", { reason: `--${name} takes no value.` });
    parsed.flags[name] = "true";
    return;
  }
  const value = equals < 0 ? words.shift() : word.slice(equals + 1);
  if (value === undefined || (equals < 0 && value.startsWith("--")))
    throw fail("USAGE", { reason: `--${name} needs a value.` });
  if (own?.repeatable) (parsed.lists[name] ??= []).push(value);
  else (own ? parsed.flags : parsed.options)[name] = value;
}

function unknownFlag(command: Command, optionFlags: readonly string[], name: string, word: string): Error {
  const nearest = closestName(name, [...Object.keys(command.flags), ...optionFlags, "json", "help"]);
  const hint = nearest ? ` Did you mean --${nearest}?` : ` \`lectern ${command.name} --help\` lists what there is.`;
  return fail("USAGE", { reason: `\`lectern ${command.name}\` has no option ${word.split("=")[0]}.${hint}` });
}

function checkComplete(command: Command, parsed: ParsedArguments): void {
  const { minimum, maximum } = command.positionals;
  const usage = `Usage: lectern ${command.name} ${command.usage}`.trimEnd();
  if (parsed.positionals.length < minimum) throw fail("USAGE", { reason: `Something is missing. ${usage}` });
  if (parsed.positionals.length > maximum)
    throw fail("USAGE", { reason: `"${parsed.positionals[maximum]}" is one argument too many. ${usage}` });
  for (const [name, flag] of Object.entries(command.flags)) {
    if (flag.required && parsed.flags[name] === undefined)
      throw fail("USAGE", { reason: `--${name} is missing. ${usage}` });
  }
}
