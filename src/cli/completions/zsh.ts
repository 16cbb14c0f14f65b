/** Completion of `lectern` for zsh. */
import { commandCases } from "./shell-cases.ts";
import { firstWords, flagsWithValue, quoted, type CompletedCommand, type Offer } from "./vocabulary.ts";

export function zshCompletion(completed: readonly CompletedCommand[]): string {
  const values = [...flagsWithValue(completed)];
  return `#compdef lectern
# zsh completion for lectern: made by \`lectern completions zsh\`.
_lectern() {
    local word value='' first='' second=''
    local -a options
    for word in "\${(@)words[2,CURRENT-1]}"; do
        if [[ -n $value ]]; then value=''; continue; fi
        case $word in
            ${values.map(([name]) => name).join("|")}) value=$word ;;
            -*) ;;
            *) if [[ -z $first ]]; then first=$word; elif [[ -z $second ]]; then second=$word; fi ;;
        esac
    done
    if [[ -n $value ]]; then
        case $value in
${values
  .filter(([, offer]) => offer.kind !== "nothing")
  .map(([name, offer]) => `            ${name}) ${offered(offer)} ;;`)
  .join("\n")}
        esac
        return
    fi
    case $first in
${commandCases(completed, setOptions, secondWords)}
        '')
            options=(${described(firstWords(completed))})
            _describe command options
            return ;;
    esac
    if [[ $words[CURRENT] == -* ]]; then _describe -o option options; fi
}
if [[ $funcstack[1] == _lectern ]]; then _lectern "$@"; else compdef _lectern lectern; fi
`;
}

function secondWords(commands: readonly CompletedCommand[]): string {
  return `
                    options=(${described(new Map(commands.map(({ words, sentence }) => [words[1]!, sentence])))})
                    _describe command options
                    return`;
}

function setOptions({ flags, arguments: offer }: CompletedCommand): string {
  const options = `options=(${described(new Map(flags.map(({ name, sentence }) => [name, sentence])))})`;
  return offer.kind === "nothing" ? options : `${options}; if [[ $words[CURRENT] != -* ]]; then ${offered(offer)}; fi`;
}

function offered(offer: Offer): string {
  if (offer.kind === "words") return `compadd -- ${offer.words.join(" ")}`;
  return offer.kind === "folders" ? "_files -/" : "_files";
}

/** Words with what is said of them, as `_describe` takes them. */
const described = (entries: ReadonlyMap<string, string>): string =>
  [...entries].map(([word, sentence]) => quoted(`${word}:${sentence}`)).join(" ");
