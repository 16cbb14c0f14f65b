/** What can be typed after `lectern`, from the commands' own tables: the shells' completions are written from this. */
import { options } from "../../options/config.ts";
import type { Command } from "../command.ts";

/** What a shell offers where a value is expected. */
export type Offer =
  | { readonly kind: "files" | "folders" | "nothing" }
  | { readonly kind: "words"; readonly words: readonly string[] };

export interface CompletedFlag {
  /** With its dashes. */
  readonly name: string;
  readonly sentence: string;
  /** null: a switch. */
  readonly value: Offer | null;
}

export interface CompletedCommand {
  readonly words: readonly [string] | readonly [string, string];
  readonly sentence: string;
  readonly flags: readonly CompletedFlag[];
  /** What its arguments may be. */
  readonly arguments: Offer;
}

const everywhere: readonly CompletedFlag[] = [
  { name: "--json", sentence: "Prints records for programs.", value: null },
  { name: "--help", sentence: "Prints what the command takes.", value: null },
];

export function vocabulary(commands: readonly Command[]): CompletedCommand[] {
  return commands.map((command) => ({
    words: command.name.split(" ") as [string],
    sentence: firstSentence(command.summary),
    flags: [
      ...Object.entries(command.flags).map(([name, { value, sentence }]) => ({
        name: `--${name}`,
        sentence: firstSentence(sentence),
        value: value === null ? null : offerFor(value),
      })),
      ...command.options.map((name) => ({
        name: `--${options[name].flag}`,
        sentence: firstSentence(options[name].sentence),
        value: offerFor(options[name].accepts),
      })),
      ...everywhere,
    ],
    arguments: offerFor(command.usage.split(" ")[0]!),
  }));
}

/** Every flag that takes a value, once, with what is offered for it. */
export function flagsWithValue(completed: readonly CompletedCommand[]): Map<string, Offer> {
  const flags = completed.flatMap((command) => command.flags);
  return new Map(flags.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])));
}

/** The words that may come first, each once, with what is said of it: a command's sentence, or the words that may follow. */
export function firstWords(completed: readonly CompletedCommand[]): Map<string, string> {
  return new Map(
    [...Map.groupBy(completed, ({ words }) => words[0])].map(([word, family]) => [
      word,
      family[0]!.words[1] === undefined ? family[0]!.sentence : family.map(({ words }) => words[1]).join(", "),
    ]),
  );
}

/** Commands of two words, by their first. */
export function families(completed: readonly CompletedCommand[]): Map<string, readonly CompletedCommand[]> {
  return Map.groupBy(
    completed.filter(({ words }) => words[1] !== undefined),
    ({ words }) => words[0],
  );
}

/** How a table says what a value is: as one of a few words, or by the name of the kind of thing it is. */
function offerFor(described: string): Offer {
  if (/^[a-z][a-z0-9-]*(\|[a-z][a-z0-9-]*)+$/.test(described)) return { kind: "words", words: described.split("|") };
  if (/^(a folder|FOLDER)$/.test(described)) return { kind: "folders" };
  return { kind: /^(PATH|FILE(?!ID)|DIR)/.test(described) ? "files" : "nothing" };
}

/** Up to its first full stop, which goes: shells show it on one line beside the word. */
const firstSentence = (text: string): string => text.split(/(?<!e\.g)[.;:]\s/)[0]!.replace(/[.;:]$/, "");

/** A word or sentence in single quotes, as bash and zsh read it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
