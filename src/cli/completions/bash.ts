/** Completion of `lectern` for bash. */
import { commandCases } from "./shell-cases.ts";
import { firstWords, flagsWithValue, quoted, type CompletedCommand, type Offer } from "./vocabulary.ts";

export function bashCompletion(completed: readonly CompletedCommand[]): string {
  const values = [...flagsWithValue(completed)];
  return `# bash completion for lectern: made by \`lectern completions bash\`.
_lectern() {
    local current=$2 previous=$3 word value=
    local -a words=()
    COMPREPLY=()
    for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $value ]]; then value=; continue; fi
        case $word in
            ${values.map(([name]) => name).join("|")}) value=yes ;;
            -*) ;;
            *) words+=("$word") ;;
        esac
    done
    if [[ $value ]]; then
        case $previous in
${values
  .filter(([, offer]) => offer.kind !== "nothing")
  .map(([name, offer]) => `            ${name}) ${reply(offer)} ;;`)
  .join("\n")}
        esac
        return
    fi
    local options= first=\${words[0]-} second=\${words[1]-}
    case $first in
${commandCases(completed, setOptions, secondWords)}
        '') ${reply({ kind: "words", words: [...firstWords(completed).keys()] })} ;;
    esac
    if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current")); fi
}
complete -o filenames -F _lectern lectern
`;
}

const secondWords = (commands: readonly CompletedCommand[]): string =>
  reply({ kind: "words", words: commands.map(({ words }) => words[1]!) });

const setOptions = ({ flags, arguments: offer }: CompletedCommand): string =>
  `options=${quoted(flags.map(({ name }) => name).join(" "))}${offer.kind === "nothing" ? "" : `; ${reply(offer)}`}`;

function reply(offer: Offer): string {
  if (offer.kind === "words") return `COMPREPLY=($(compgen -W ${quoted(offer.words.join(" "))} -- "$current"))`;
  return `mapfile -t COMPREPLY < <(compgen ${offer.kind === "folders" ? "-d" : "-f"} -- "$current")`;
}
