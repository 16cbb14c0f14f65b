/** Tables and JSON become text that explains itself wherever it is cut. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countJson } from "../../../src/documents/loaders/data/json-scanner.ts";
import { textsOf } from "../fixtures.ts";

describe("a table", () => {
  for (const [delimiter, name] of [
    [",", "a.csv"],
    [";", "a.csv"],
    ["|", "a.csv"],
    ["\t", "a.tsv"],
  ] as const) {
    test(`parted by ${JSON.stringify(delimiter)} names the column with each value`, async () => {
      const rows = [
        ["name", "born", "place"],
        ["Ada", "1815", `"Lon${delimiter}don"`],
        ["Alan", "", "Maida\u00a0Vale"],
      ];
      const text = rows.map((row) => row.join(delimiter)).join("\r\n");
      expect(await textsOf(name, text)).toEqual([
        `name: Ada; born: 1815; place: Lon${delimiter === "\t" ? " " : delimiter}don`,
        "name: Alan; place: Maida Vale",
      ]);
    });
  }
  test("without a header row is only its values", async () => {
    expect(await textsOf("a.csv", "1,Ada\n2,Alan\n")).toEqual(["1; Ada", "2; Alan"]);
  });
  test("of a header row only is that", async () => {
    expect(await textsOf("a.csv", "name,born\n")).toEqual(["name; born"]);
  });
  test("with a stray quotation mark is still read", async () => {
    expect(await textsOf("a.csv", 'name,height\n"Ada,5\nAlan,6\n')).toEqual([
      'name: "Ada; height: 5',
      "name: Alan; height: 6",
    ]);
  });
  test("of too many rows or columns is refused", async () => {
    await expect(textsOf("a.csv", "a,b\n1,2\n3,4\n", { maxRows: 2 })).rejects.toThrow("more than 2 rows");
    await expect(textsOf("a.csv", "a,b,c\n1,2,3\n", { maxColumns: 2 })).rejects.toThrow("more than 2 columns");
    await expect(textsOf("a.csv", `a,b\n${"1,".repeat(100)}\n`, { maxRowBytes: 50 })).rejects.toThrow(
      "a row of more than 50 bytes",
    );
  });
});

describe("JSON", () => {
  test("is written out as paths and values in its own order, a block for each record", async () => {
    const json =
      '{"2": "two", "1": 1.50, "on": true, "none": null, "tags": ["a", "b"], "people": [{"name": "Ada", "at": {"city": "London"}}, {"name": "Alan"}]}';
    expect(await textsOf("a.json", json)).toEqual([
      "2: two\n1: 1.50\non: true\ntags: a, b",
      "people.name: Ada\npeople.at.city: London",
      "people.name: Alan",
    ]);
  });
  test("Lines has a block for each line", async () => {
    expect(await textsOf("a.jsonl", '{"a": 1}\n\n{"a": "x\\ny"}\n')).toEqual(["a: 1", "a: x\ny"]);
  });
  test("may use any key", async () => {
    expect(await textsOf("a.json", '{"__proto__": {"x": 1}, "constructor": 2, "": 3, "a": 4, "a": 5}')).toEqual([
      "__proto__.x: 1\nconstructor: 2\n3\na: 4\na: 5",
    ]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
  test("that is broken or too deep says where", async () => {
    await expect(textsOf("a.json", '{"a": 1,}')).rejects.toThrow(
      'The file "a.json" cannot be read: it is not valid JSON: a key is missing at position 8',
    );
    await expect(textsOf("a.json", "[".repeat(100_000))).rejects.toThrow("nested more than 256 deep");
  });
  test("is accepted exactly when JSON.parse accepts it", () => {
    const parses = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", '"', "\\", "0", "-", ".", "e", "}", "]", "\u0001", " "))
      .map(([json, at, piece]) => {
        const position = at % (json.length + 1);
        return json.slice(0, position) + piece + json.slice(position + (at % 2));
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken, fc.string()), (text) => {
        // Several values in a row are JSON Lines to us.
        const single = countJson(text, 1000, Infinity) === 1;
        expect(single).toBe(parses(text));
      }),
      { numRuns: 3000 },
    );
  });
});
