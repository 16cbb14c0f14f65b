/** Reading a command line: what is accepted, and how each mistake is answered. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findCommand, parseArguments } from "../../src/cli/arguments.ts";
import { commands } from "../../src/cli/index.ts";
import { options } from "../../src/options/config.ts";
import { commonOptions, type Command } from "../../src/cli/command.ts";

const command: Command = {
  name: "thing make",
  summary: "Makes a thing.",
  usage: "ID --colour NAME",
  positionals: { minimum: 1, maximum: 2 },
  flags: {
    colour: { value: "NAME", sentence: "Its colour.", required: true },
    quick: { value: null, sentence: "Without care." },
    with: { value: "PART", sentence: "A part it has.", repeatable: true },
  },
  options: commonOptions,
  run: async () => 0,
};

const parse = (...words: string[]) => parseArguments(command, words);

describe("accepted", () => {
  test("a flag and its value apart or joined", () => {
    expect(parse("a", "--colour", "red").flags).toEqual({ colour: "red" });
    expect(parse("a", "--colour=red=ish").flags).toEqual({ colour: "red=ish" });
  });

  test("flags anywhere, switches without value, options apart from the command's own", () => {
    const parsed = parse("--quick", "a", "--data-dir", "/d", "b", "--colour", "red", "--json");
    expect(parsed).toEqual({
      positionals: ["a", "b"],
      flags: { quick: "true", colour: "red" },
      lists: {},
      options: { "data-dir": "/d" },
      json: true,
      help: false,
    });
  });

  test("a flag that may be given several times, in order; of any other the last counts", () => {
    const parsed = parse("a", "--with", "wheel", "--colour", "red", "--with=bell", "--colour", "blue");
    expect([parsed.lists, parsed.flags]).toEqual([{ with: ["wheel", "bell"] }, { colour: "blue" }]);
  });

  test("after -- everything is positional", () => {
    expect(parse("--colour", "red", "--", "--json", "-x").positionals).toEqual(["--json", "-x"]);
  });

  test("a value may begin with one dash, or be empty", () => {
    expect(parse("a", "--colour", "-1").flags.colour).toBe("-1");
    expect(parse("a", "--colour=").flags.colour).toBe("");
  });

  test("--help needs nothing else", () => expect(parse("--help").help).toBe(true));
});

describe("refused", () => {
  const cases: [words: string[], sentence: RegExp][] = [
    [["a", "--color", "red"], /`lectern thing make` has no option --color\. Did you mean --colour\?/],
    [["a", "--colour", "red", "--dta-dir=/d"], /no option --dta-dir\. Did you mean --data-dir\?/],
    [["a", "--colour", "red", "-q"], /no option -q/],
    [["a", "--colour", "red", "--zzzzzzzzzz"], /--help` lists what there is/],
    [["a", "--colour"], /--colour needs a value/],
    [["a", "--colour", "--quick"], /--colour needs a value/],
    [["a", "--colour", "red", "--quick=yes"], /--quick takes no value/],
    [["--colour", "red"], /Something is missing\. Usage: lectern thing make ID --colour NAME/],
    [["a", "b", "c", "--colour", "red"], /"c" is one argument too many/],
    [["a"], /--colour is missing/],
    [["a", "--colour", "red", "--constructor", "x"], /no option --constructor/],
  ];
  for (const [words, sentence] of cases) {
    test(words.join(" "), () => expect(() => parse(...words)).toThrow(sentence));
  }

  test("whatever the words, they are read or answered as wrong usage", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom("--", "-", "--colour", "--quick", "--json", "--=x"))),
        (words) => {
          try {
            parse(...words);
          } catch (error) {
            expect(error).toMatchObject({ code: "USAGE" });
          }
        },
      ),
    );
  });
});

describe("the command in a line", () => {
  const one: Command = { ...command, name: "thing" };
  const cases: [argv: string, name: string | null, rest: string][] = [
    ["thing make x", "thing make", "x"],
    ["thing x", "thing", "x"],
    ["--data-dir /d thing make x", "thing make", "--data-dir /d x"],
    ["--data-dir=/d --json thing x", "thing", "--data-dir=/d --json x"],
    ["thing --colour make make x", "thing make", "--colour make x"],
    ["--quick thing make x", "thing make", "--quick x"],
    ["thing --colour red x make", "thing", "--colour red x make"],
    ["other thing", null, ""],
    ["--data-dir thing", null, ""],
    ["-- thing", null, ""],
    ["", null, ""],
  ];
  test.each(cases)("%p is %p with %p", (line, name, rest) => {
    const found = findCommand([one, command], line.split(" ").filter(Boolean));
    expect(found === null ? null : found.command.name).toBe(name);
    expect(found?.rest.join(" ") ?? "").toBe(rest);
  });

  test("no flag is a switch of one command and takes a value in another", () => {
    const kinds = new Map<string, boolean>(Object.values(options).map(({ flag }) => [flag, true]));
    for (const { flags, name } of commands)
      for (const [flag, { value }] of Object.entries(flags)) {
        expect([name, flag, kinds.get(flag) ?? value !== null]).toEqual([name, flag, value !== null]);
        kinds.set(flag, value !== null);
      }
  });
});
