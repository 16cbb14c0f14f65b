/** Delimited text: where the table begins, what its columns are called, which character parts its cells, and where each row stands. */
import { describe, expect, test } from "bun:test";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";

describe("the names of a table's columns", () => {
  const cases: readonly (readonly [what: string, table: string, texts: readonly string[]])[] = [
    ["are years", "city,2019,2020\nOslo,5.1,5.2\n", ["city: Oslo; 2019: 5.1; 2020: 5.2"]],
    ["are only years", "2019,2020\n5,6\n7,8\n", ["2019: 5; 2020: 6", "2019: 7; 2020: 8"]],
    ["are missing for some", ",born,place\nAda,1815,London\n", ["Ada; born: 1815; place: London"]],
    ["are repeated", "name,score,name,score\nAda,5,Alan,6\n", ["name: Ada; score: 5; name: Alan; score: 6"]],
    [
      "stand under a title",
      "Lamps of the coast\nas of May\nname,height\nOld,12\nNew,31\n",
      ["Lamps of the coast", "as of May", "name: Old; height: 12", "name: New; height: 31"],
    ],
    [
      "stand under comments",
      "# made by hand, twice\n# and checked\nname,height,lit\nOld,12,yes\nNew,31,no\n",
      ["# made by hand; twice", "# and checked", "name: Old; height: 12; lit: yes", "name: New; height: 31; lit: no"],
    ],
    ["are not there over numbers", "1,2,3\n4,5,6\n", ["1; 2; 3", "4; 5; 6"]],
    ["are not there where words repeat", "red,yes\nred,no\nblue,yes\n", ["red; yes", "red; no", "blue; yes"]],
    ["are not there in a list of dates", "2020-01-01,5\n2020-01-02,6\n", ["2020-01-01; 5", "2020-01-02; 6"]],
    ["are not there in a form", "Name:,Ada\nBorn:,London\n", ["Name: Ada", "Born: London"]],
    [
      "hold for what stands under a gap",
      "name,height\nOld,12\n\nNew,31\n",
      ["name: Old; height: 12", "name: New; height: 31"],
    ],
    [
      "are others for another table",
      "name,height\nOld,12\n\ncity,people\nOslo,5\n",
      ["name: Old; height: 12", "city: Oslo; people: 5"],
    ],
    [
      "are not those of a remark under the table",
      "name,height\nOld,12\n\nHeights in metres\n",
      ["name: Old; height: 12", "Heights in metres"],
    ],
  ];
  for (const [what, table, texts] of cases)
    test(what, async () => expect(await textsOf("a.csv", table)).toEqual([...texts]));
});

describe("the delimiter", () => {
  const cases: readonly (readonly [what: string, table: string, text: string])[] = [
    ["is not the comma in numbers", "1,5;2,5\n3,5;4,5\n5,5;6,5\n", "1,5; 2,5"],
    [
      "is not the comma in sentences",
      'name;remark\n"A, B";one, two\n"C, D";three, four\n',
      "name: A, B; remark: one, two",
    ],
    ["is not in quotation marks", 'name,remark\n"a;b;c","d;e"\n"f;g;h","i;j"\n', "name: a;b;c; remark: d;e"],
    ["is seen beside inches", 'size,kind\n5",pipe\n6",rod\n', 'size: 5"; kind: pipe'],
    ["may be named in the first line", "sep=|\na|b\nx,y|z\n", "a: x,y; b: z"],
    [
      "is seen under a long preamble",
      `${"Some words, and more.\n".repeat(9)}a\tb\n${"1\t2\n".repeat(30)}`,
      "Some words, and more.",
    ],
  ];
  for (const [what, table, text] of cases)
    test(what, async () => expect((await textsOf("a.csv", table))[0]).toBe(text));
});

test("rows are numbered as a spreadsheet shows them", async () => {
  const table = 'name,remark\nAda,"two\nlines"\n\n,\nAlan,x\n';
  const rows = (await blocksOf("a.csv", table)).map(({ text, place }) => [place?.row, text]);
  expect(rows).toEqual([
    [2, "name: Ada; remark: two lines"],
    [5, "name: Alan; remark: x"],
  ]);
});

test("a hundred thousand rows are read", async () => {
  const table = `id,name,remark\n${Array.from({ length: 100_000 }, (_, row) => `${row},name ${row},"a, b"`).join("\n")}`;
  const blocks = await blocksOf("a.csv", table);
  expect(blocks).toHaveLength(100_000);
  expect(blocks.at(-1)).toMatchObject({ text: "id: 99999; name: name 99999; remark: a, b", place: { row: 100_001 } });
});

test("a very long number is read", async () => {
  const long = `${"1".repeat(240_000)}abcd`;
  expect(await textsOf("a.csv", `a,b\n${long},x\n${long},y\n`)).toEqual([`a: ${long}; b: x`, `a: ${long}; b: y`]);
});

describe("text that is not called a table", () => {
  test.each([
    ["verses", "Sun, moon, stars,\nwind, rain, sky,\nsea, sand, foam,\nbird, leaf, stone,\n"],
    ["lists", "Apples; red\nPears; green\nPlums; blue\nFigs; brown\n"],
    ["pairs of words", "Liberté ; égalité\nFraternité ; justice\nPaix ; travail\nPain ; vin\n"],
  ])("is none: %s", async (_, text) => {
    expect(await textsOf("a", text)).toEqual([text.trimEnd()]);
  });
  test.each([
    ["three columns", "a,b,c\nd,e,f\ng,h,i\nj,k,l\n", "a: d; b: e; c: f"],
    ["a column of numbers", "name;height\nOld;12\nNew;31\nLow;5\n", "name: Old; height: 12"],
    ["numbers between blanks", 'a, b, c\n"x, y", z, 12\nu, v, 31\nr, s, 5\n', "a: x, y; b: z; c: 12"],
  ])("is one: %s", async (_, text, first) => {
    expect((await textsOf("a", text))[0]).toBe(first);
  });
});

test("a damaged table is read or refused", async () => {
  const table = '# lamps\nname;height;remark\nOld;12;"a ""b""\nc"\n\nNew;31;x|y\nsep=,\n';
  await expectCleanEnds("a.csv", bytesOf(table));
});
