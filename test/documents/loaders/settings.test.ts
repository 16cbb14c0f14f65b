/** YAML, TOML and settings become text that explains itself wherever it is cut. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { expectCleanEnds } from "../mutants.ts";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";

const yaml = `# What it is for
name: engine
version: 1.50
date: 2026-05-12
on: yes
none: null
base: &base
  mill: &mill big
parts: # of brass
  - one
  - two
people:
  - name: Ada
    at: { city: London }
  - name: Alan
    <<: *base
    mill: *mill
text: |
  First line
  second
`;

describe("YAML", () => {
  test("is written out as paths and values, with its comments, a block for each record", async () => {
    expect(await textsOf("a.yaml", yaml)).toEqual([
      "What it is for\nname: engine\nversion: 1.50\ndate: 2026-05-12\non: yes\nbase.mill: big\nof brass\nparts: one, two",
      "people.name: Ada\npeople.at.city: London",
      "people.name: Alan\npeople.mill: big",
      "text: First line\nsecond",
    ]);
  });
  test("may hold several documents", async () => {
    expect(await textsOf("a.yml", "a: 1\n---\na: 2\n---\n- x\n- y\n")).toEqual(["a: 1", "a: 2", "x, y"]);
  });
  test("whose aliases would grow without end does not grow", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, index) => `l${index + 1}: &l${index + 1} [${Array(9).fill(`*l${index}`).join(", ")}]`,
    );
    expect(await textsOf("a.yaml", `l0: &l0 [x]\n${levels.join("\n")}\n`)).toEqual(["l0: x"]);
  });
  for (const [what, text] of [
    ["a template", "a: {{ .Values.a }}\n{{ if .b }}\nb: 1\n"],
    ["nested without end", `a: ${"[".repeat(20_000)}`],
  ] as const)
    test(`that is ${what} is text`, async () => expect((await textsOf("a.yaml", text))[0]).toBe(text.trim()));
  test("that is damaged is refused or read", async () => await expectCleanEnds("a.yaml", bytesOf(yaml), 300));
});

describe("TOML", () => {
  const toml =
    'title = "Engine"\nat = 1979-05-27T07:32:00Z\nbig = 9007199254740993\n[owner]\nname = "Ada"\n[[parts]]\nname = "mill"\n[[parts]]\nname = "store"\n';
  test("is written out as paths and values", async () => {
    expect(await textsOf("a.toml", toml)).toEqual([
      "title: Engine\nat: 1979-05-27T07:32:00.000Z\nbig: 9007199254740993\nowner.name: Ada",
      "parts.name: mill",
      "parts.name: store",
    ]);
  });
  test("that is broken is text", async () => expect(await textsOf("a.toml", "a = \n\nb")).toEqual(["a =", "b"]));
  test("that is damaged is refused or read", async () => await expectCleanEnds("a.toml", bytesOf(toml), 300));
});

describe("settings", () => {
  const ini =
    '; For all\nname=engine\n\n[Database]\nhost = example.org ; not a comment for all\nname with blanks: "x y"\n';
  test("in sections have these as headings, and know their lines", async () => {
    expect((await blocksOf("a.ini", ini)).map(({ kind, text, place }) => [kind, text, place?.line])).toEqual([
      ["paragraph", "For all\nname: engine", 1],
      ["heading", "Database", 4],
      ["paragraph", "host: example.org ; not a comment for all\nname with blanks: x y", 5],
    ]);
  });
  test("of Java have their escapes undone and their lines joined", async () => {
    expect(await textsOf("a.properties", "# About\ngreeting = Gr\\u00fc\\u00dfe \\\n   an alle\nkey:value\n")).toEqual([
      "About\ngreeting: Grüße an alle\nkey: value",
    ]);
  });
  test("of an environment", async () =>
    expect(await textsOf("a.env", 'export NAME="Ada"\nPLACE=London\n')).toEqual(["NAME: Ada\nPLACE: London"]));
  test("of an environment keep their backslashes", async () =>
    expect(await textsOf("a.env", "LOGS=C:\\temp\\new\\\nPLACE=London\n")).toEqual([
      "LOGS: C:\\temp\\new\\\nPLACE: London",
    ]));
  test("that are none are text", async () => {
    expect((await readBlocks(bytesOf("server {\n  listen 80;\n}\n"), "nginx.cfg", null)).loaderId).toBe("text");
  });
  test("that are damaged are refused or read", async () => await expectCleanEnds("a.ini", bytesOf(ini), 200));
});

describe("YAML made to harm", () => {
  test("repeats only short values", async () => {
    const long = "word ".repeat(300).trim();
    expect(await textsOf("a.yaml", `a: &a ${long}\nb: *a\nc: &c short\nd: *c\n`)).toEqual([
      `a: ${long}`,
      "c: short\nd: short",
    ]);
  });
  test("shows only the names next to a value where these are long", async () => {
    const name = "k".repeat(900);
    const [text = ""] = await textsOf("a.yaml", `${name}:\n  ${name}:\n    ${name}:\n      x: 1\n`);
    expect(text).toBe(`${"k".repeat(200)}.${"k".repeat(200)}.x: 1`);
  });
});
