/** The branches by which bash and zsh, whose `case` is alike, find the command that is being completed. Pure. */
import { families, type CompletedCommand } from "./vocabulary.ts";

/** `setOptions`: what is done for a command that is whole; `offer`: for one whose second word is still to come. Both may be of several lines. */
export function commandCases(
  completed: readonly CompletedCommand[],
  setOptions: (command: CompletedCommand) => string,
  offer: (commands: readonly CompletedCommand[]) => string,
): string {
  const single = completed
    .filter(({ words }) => words[1] === undefined)
    .map((command) => `        ${command.words[0]}) ${setOptions(command)} ;;`);
  const double = [...families(completed)].map(
    ([first, commands]) => `        ${first})
            case $second in
${commands.map((command) => `                ${command.words[1]}) ${setOptions(command)} ;;`).join("\n")}
                '') ${offer(commands)} ;;
            esac ;;`,
  );
  return [...single, ...double].join("\n");
}
