/** Completion of `lectern` for fish. */
import { families, firstWords, flagsWithValue, type CompletedCommand, type Offer } from "./vocabulary.ts";

export function fishCompletion(completed: readonly CompletedCommand[]): string {
  const flags = completed.flatMap((command) =>
    command.flags.map((flag) => {
      const value = flag.value === null ? "" : `${offered(flag.value) || " -x"}`;
      return `complete -c lectern -n ${when(command.words)} -l ${flag.name.slice(2)}${value} -d ${quotedForFish(flag.sentence)}`;
    }),
  );
  const positionals = completed
    .filter((command) => command.arguments.kind !== "nothing")
    .map((command) => `complete -c lectern -n ${when(command.words)}${offered(command.arguments)}`);
  return `# fish completion for lectern: made by \`lectern completions fish\`.
function __lectern_words
    set -l value
    for word in (commandline -opc)[2..-1]
        if set -q value[1]
            set -e value
            continue
        end
        switch $word
            case ${[...flagsWithValue(completed).keys()].join(" ")}
                set value $word
            case '-*'
            case '*'
                echo $word
        end
    end
end
function __lectern_after
    set -l words (__lectern_words)
    test (count $argv) -eq 0; and test (count $words) -eq 0; and return
    test (count $argv) -gt 0; and test "$words[1..$(count $argv)]" = "$argv"
end
function __lectern_within
    set -l words (__lectern_words)
    test (count $words) -eq 1; and test "$words" = "$argv"
end
complete -c lectern -f
${[...firstWords(completed)].map(([word, sentence]) => `complete -c lectern -n __lectern_after -a ${word} -d ${quotedForFish(sentence)}`).join("\n")}
${[...families(completed)]
  .flatMap(([first, commands]) =>
    commands.map(
      ({ words, sentence }) =>
        `complete -c lectern -n '__lectern_within ${first}' -a ${words[1]} -d ${quotedForFish(sentence)}`,
    ),
  )
  .join("\n")}
${[...positionals, ...flags].join("\n")}
`;
}

const when = (words: readonly string[]): string => `'__lectern_after ${words.join(" ")}'`;

function offered(offer: Offer): string {
  if (offer.kind === "words") return ` -x -a '${offer.words.join(" ")}'`;
  if (offer.kind === "folders") return " -x -a '(__fish_complete_directories)'";
  return offer.kind === "files" ? " -r -F" : "";
}

const quotedForFish = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
