/** What a command is: its name, what it accepts, and what it does. One file per command exports these. */
import type { Config, OptionName } from "../options/config.ts";

/** A flag of one command alone; everything that several parts of the server read is an option in `config.ts`. */
export interface CommandFlag {
  /** How its value is called in the help, e.g. `ID`; null for a switch. */
  readonly value: string | null;
  readonly sentence: string;
  readonly required?: boolean;
  /** Whether it may be given several times. */
  readonly repeatable?: boolean;
}

export interface Invocation {
  readonly config: Config;
  /** Reads the configuration from the same places again. */
  readonly readConfig: () => Config;
  readonly positionals: readonly string[];
  /** Values of the command's own flags; switches are "true". */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** Values of the flags that may be given several times, in order. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
  /** `--json`: print records for programs instead of text for people. */
  readonly json: boolean;
}

export interface Command {
  /** One or two words, e.g. `customer create`. */
  readonly name: string;
  readonly summary: string;
  /** Positional arguments as the help shows them, e.g. `PATH…`. */
  readonly usage: string;
  readonly positionals: { readonly minimum: number; readonly maximum: number };
  readonly flags: Readonly<Record<string, CommandFlag>>;
  /** Options of `config.ts` it accepts as flags; all of them apply as variables and in `lectern.toml`. */
  readonly options: readonly OptionName[];
  /** True for what changes nothing in the data directory: everything else only its owner may run. */
  readonly forAnyUser?: boolean;
  /** More lines for the help, e.g. an example. */
  readonly notes?: readonly string[];
  /** Resolves to the exit code: 0 done, 1 failed. Throws for everything that one sentence can tell. */
  run(invocation: Invocation): Promise<number>;
}

/** Options that every command takes. */
export const commonOptions: readonly OptionName[] = ["dataDirectory", "cacheDirectory", "logLevel"];
