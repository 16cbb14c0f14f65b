/** What the shells complete, asked of the shells themselves; and that nothing of the tables is left out. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completionScripts } from "../../src/cli/completions.ts";
import { vocabulary } from "../../src/cli/completions/vocabulary.ts";
import { commands } from "../../src/cli/index.ts";
import { program, testWith } from "../requirements.ts";
import { lectern, temporaryFolder } from "./lectern.ts";

const folder = temporaryFolder();
const scriptOf = (shell: string): string => join(folder.path, `lectern.${shell}`);
const completed = vocabulary(commands);

beforeAll(() => {
  for (const [shell, script] of Object.entries(completionScripts)) writeFileSync(scriptOf(shell), script(completed));
  mkdirSync(join(folder.path, "handbook"));
  writeFileSync(join(folder.path, "letter.txt"), "");
});
afterAll(() => folder.remove());

/** A line that ends where the cursor stands → some of what is offered there, and some of what is not. */
const offers: readonly [line: string, offered: readonly string[], withheld: readonly string[]][] = [
  ["lectern ", ["serve", "customer", "completions"], ["create", "--json"]],
  ["lectern cust", ["customer"], ["serve"]],
  ["lectern customer ", ["create", "show", "remove"], ["serve", "revoke"]],
  ["lectern customer create --", ["--credits", "--data-dir", "--json"], ["--filter"]],
  ["lectern --data-dir customer search --f", ["--filter", "--full"], ["--credits"]],
  ["lectern serve --log-level ", ["debug", "silent"], ["--json", "letter.txt"]],
  ["lectern ingest le", ["letter.txt"], ["handbook"]],
  ["lectern search le", [], ["letter.txt"]],
  ["lectern serve --data-dir h", ["handbook"], ["letter.txt"]],
  ["lectern completions ", ["bash", "zsh", "fish"], []],
];

/** How each shell is asked, in the folder, with the line's words after the program. */
const questions: Readonly<Record<string, string>> = {
  bash: `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lectern lectern "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: `source $argv[1]; complete -C (string join ' ' -- $argv[2..]) | string split -f1 \\t`,
  // The functions of a terminal's completion, reduced to saying what they were told.
  zsh: `compdef() {}
    _describe() { [[ $1 == -o ]] && shift; for word in \${(P)2}; print -- \${word%%:*} }
    compadd() { shift; print -l -- "$@" }
    _files() { if [[ $1 == -/ ]]; then print -l -- *(/N); else print -l -- *(.N); fi }
    source "$0"; words=("$@"); CURRENT=$#; _lectern | grep -- "^\${words[CURRENT]}"; true`,
};

for (const [shell, question] of Object.entries(questions)) {
  testWith(program(shell))(`${shell} offers the commands, options and values that fit`, () => {
    for (const [line, offered, withheld] of offers) {
      const asked = Bun.spawnSync([shell, "-c", question, scriptOf(shell), ...line.split(" ")], { cwd: folder.path });
      const words = asked.stdout
        .toString()
        .split("\n")
        .map((word) => word.replace(/\/$/, ""));
      expect(asked.stderr.toString(), line).toBe("");
      expect(words, line).toEqual(expect.arrayContaining([...offered]));
      for (const word of withheld) expect(words, line).not.toContain(word);
    }
  });
}

describe("the scripts", () => {
  for (const [shell, script] of Object.entries(completionScripts)) {
    test(`for ${shell} know every command and every flag`, () => {
      const text = script(completed);
      for (const { words, flags } of completed) {
        for (const word of words) expect(text).toContain(word);
        for (const { name } of flags) expect(text).toContain(shell === "fish" ? `-l ${name.slice(2)} ` : name);
      }
    });
  }

  test("are what `lectern completions` prints; another shell is told", async () => {
    const printed = await lectern(["completions", "bash"]);
    expect(printed).toMatchObject({ code: 0, stdout: completionScripts.bash!(completed) });
    const unknown = await lectern(["completions", "tcsh"]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('not for "tcsh"') });
  });

  test("offer the same for a flag's value wherever the flag is", () => {
    const offered = Map.groupBy(
      completed.flatMap(({ flags }) => flags),
      ({ name }) => name,
    );
    for (const [name, flags] of offered)
      expect(new Set(flags.map(({ value }) => JSON.stringify(value))).size, name).toBe(1);
  });
});
