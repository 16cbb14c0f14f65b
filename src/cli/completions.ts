/** `lectern completions bash|zsh|fish`: what a shell needs to complete commands, flags and values. */
import { fail } from "../foundation/errors.ts";
import { commonOptions, type Command } from "./command.ts";
import { bashCompletion } from "./completions/bash.ts";
import { fishCompletion } from "./completions/fish.ts";
import { vocabulary, type CompletedCommand } from "./completions/vocabulary.ts";
import { zshCompletion } from "./completions/zsh.ts";
import { print } from "./terminal.ts";

/** The script of each shell. */
export const completionScripts: Readonly<Record<string, (completed: readonly CompletedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

const shells = Object.keys(completionScripts).join("|");

/** `commands` are all that there are, this one included. */
export const completionsCommand = (commands: () => readonly Command[]): Command => ({
  name: "completions",
  summary: "Prints what a shell needs to complete commands, options and their values.",
  usage: shells,
  positionals: { minimum: 1, maximum: 1 },
  flags: {},
  options: commonOptions,
  forAnyUser: true,
  notes: [
    "bash: lectern completions bash > ~/.local/share/bash-completion/completions/lectern",
    "zsh:  lectern completions zsh > FOLDER/_lectern, where FOLDER is one of $fpath",
    "fish: lectern completions fish > ~/.config/fish/completions/lectern.fish",
  ],
  async run({ positionals }) {
    const shell = positionals[0]!;
    if (!Object.hasOwn(completionScripts, shell))
      throw fail("USAGE", { reason: `There are completions for ${shells.replaceAll("|", ", ")}, not for "${shell}".` });
    print(completionScripts[shell]!(vocabulary(commands())).trimEnd());
    return 0;
  },
});
