/** What the pages make of people's text before it is shown: nothing is lost, nothing is added, and nothing becomes more than text. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { answerParts, citedSources } from "../../src/console/text/answer-parts.ts";
import { fragmentTo, queryWith, readFragment } from "../../src/console/text/address.ts";
import { curlSample, readableJson, shellQuoted, typescriptSample } from "../../src/console/text/code-samples.ts";
import { EventReader } from "../../src/console/text/event-reader.ts";
import { filtersOf, scalarOf } from "../../src/console/text/filter-value.ts";
import { markedParts } from "../../src/console/text/marked-parts.ts";
import { placeInWords } from "../../src/console/text/place-in-words.ts";
import { scoreBand } from "../../src/console/text/score-band.ts";
import { daysBetween, roundedUp, usageSeries } from "../../src/console/text/usage-series.ts";
import { formats, words } from "../../src/console/words/index.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "<",
      ">",
      "&",
      '"',
      "'",
      "`",
      "$",
      "\\",
      "\n",
      "[1]",
      "[2]",
      "a",
      "\u202e",
      "\u2028",
      "ש",
      "😀",
    ),
  }),
);

describe("marking words", () => {
  const highlights = fc.array(
    fc.record({ start: fc.integer({ min: -5, max: 60 }), end: fc.integer({ min: -5, max: 60 }) }),
  );

  test("the parts together are the passage, and none is empty", () => {
    fc.assert(
      fc.property(anyText, highlights, (text, ranges) => {
        const parts = markedParts(text, ranges);
        expect(parts.map((part) => part.text).join("")).toBe(text);
        expect(parts.filter((part) => part.text === "")).toEqual([]);
      }),
    );
  });

  test("a unit is marked exactly where a range holds it", () => {
    fc.assert(
      fc.property(anyText, highlights, (text, ranges) => {
        const marked = markedParts(text, ranges).flatMap(({ text: part, isMarked }) =>
          [...Array(part.length)].map(() => isMarked),
        );
        const expected = [...Array(text.length)].map((_, at) =>
          ranges.some(({ start, end }) => start <= at && at < end),
        );
        expect(marked).toEqual(expected);
      }),
    );
  });

  test.each([
    ["no ranges", "oil the chain", [], [["oil the chain", false]]],
    [
      "one",
      "oil the chain",
      [{ start: 8, end: 13 }],
      [
        ["oil the ", false],
        ["chain", true],
      ],
    ],
    [
      "those that touch are one",
      "abcdef",
      [
        { start: 0, end: 2 },
        { start: 2, end: 4 },
      ],
      [
        ["abcd", true],
        ["ef", false],
      ],
    ],
    [
      "markup is text",
      "<b>x</b>",
      [{ start: 3, end: 4 }],
      [
        ["<b>", false],
        ["x", true],
        ["</b>", false],
      ],
    ],
  ])("%s", (_name, text, ranges, expected) => {
    expect(markedParts(text, ranges).map((part) => [part.text, part.isMarked])).toEqual(
      expected as [string, boolean][],
    );
  });
});

describe("citations", () => {
  test("the parts together are the answer, and name only sources that there are", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 3 }), (answer, sources) => {
        const parts = answerParts(answer, sources);
        expect(parts.map((part) => part.text).join("")).toBe(answer);
        for (const source of citedSources(parts)) expect(source).toBeWithin(1, sources + 1);
      }),
    );
  });

  test("[2] is a citation where there are two sources, and text where there is one", () => {
    expect(answerParts("Oil it [2].", 2)).toEqual([
      { kind: "text", text: "Oil it " },
      { kind: "citation", source: 2, text: "[2]" },
      { kind: "text", text: "." },
    ]);
    expect(answerParts("Oil it [2].", 1)).toEqual([{ kind: "text", text: "Oil it [2]." }]);
  });
});

describe("event streams", () => {
  const events = fc.array(fc.record({ event: fc.constantFrom("token", "sources", "done"), data: fc.json() }));
  const written = (list: readonly { event: string; data: string }[], end: string): string =>
    list.map(({ event, data }) => `event: ${event}${end}data: ${data}${end}${end}`).join(`: still here${end}${end}`);

  test("are read the same in whatever pieces they arrive", () => {
    fc.assert(
      fc.property(events, fc.constantFrom("\n", "\r\n"), fc.array(fc.nat(40)), (list, end, cuts) => {
        const reader = new EventReader();
        let stream = written(list, end);
        const read = cuts.flatMap((cut) => {
          const piece = stream.slice(0, cut);
          stream = stream.slice(cut);
          return reader.read(piece);
        });
        expect([...read, ...reader.read(stream)]).toEqual(list);
      }),
    );
  });
});

describe("code for programs", () => {
  test("a shell reads every word as it was meant", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
        (text) => {
          const { stdout } = Bun.spawnSync(["sh", "-c", `printf %s ${shellQuoted(text)}`]);
          expect(stdout.toString()).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("JSON is on one line, means the same, and hides nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = readableJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text).not.toMatch(/[\n\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/);
      }),
    );
  });

  const request = { origin: "http://localhost:8080", method: "POST", path: "/v1/search" } as const;

  test("what a search asks arrives whole in the command line", () => {
    const json = { datasetId: 'it\'s; rm -rf "$HOME" `id`', question: "¿Qué? \u202e\n'" };
    const line = curlSample({ ...request, json }).replace(/^curl/, "printf '%s\\0'");
    const { stdout } = Bun.spawnSync(["sh", "-c", line], { env: { KEY: "lk_x" } });
    const sent = stdout.toString().split("\0");
    expect(sent).toContain("Authorization: Bearer lk_x");
    expect(JSON.parse(sent[sent.indexOf("-d") + 1]!)).toEqual(json);
  });

  test.each([
    ["a search", { ...request, json: { question: "</script>`$\u007b1}" } }],
    ["an answer", { ...request, path: "/v1/query", json: { stream: true }, streams: true }],
    ["an upload", { ...request, path: "/v1/files/upload", form: { datasetId: '"; process.exit(1); "' } }],
    ["a listing", { ...request, method: "GET", path: "/v1/files?datasetId=d" }],
  ] as const)("%s is TypeScript that compiles", (_name, sample) => {
    const code = new Bun.Transpiler({ loader: "ts" }).transformSync(typescriptSample(sample));
    expect(code).toContain("process.env.LECTERN_KEY");
    expect(code).not.toMatch(/^\s*process\.exit/m);
  });
});

describe("addresses", () => {
  test("lead back to what they were made of", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", minLength: 1 })), (segments) => {
        expect(readFragment(fragmentTo(...segments))).toEqual(segments);
      }),
    );
  });
  test("one that cannot be decoded stays as it is", () =>
    expect(readFragment("#/a/%E0%A4%A")).toEqual(["a", "%E0%A4%A"]));
  test("a query leaves out what is not given", () => {
    expect(queryWith({ datasetId: "a&b", cursor: null, limit: 5 })).toBe("?datasetId=a%26b&limit=5");
    expect(queryWith({ cursor: null })).toBe("");
  });
});

test.each([
  [0.9, "high"],
  [0.8999, "relevant"],
  [0.8, "relevant"],
  [0.7, "possible"],
  [0.6999, "weak"],
  [0, "weak"],
] as const)("a score of %p is %s", (score, band) => expect(scoreBand(score)).toBe(band));

test.each([
  ["2026", 2026],
  ["-1.5", -1.5],
  ['"2026"', "2026"],
  ["true", true],
  ["v2026", "v2026"],
  [" draft ", "draft"],
  ["1e3", "1e3"],
])("a filter's value typed as %p is %p", (typed, value) => expect(scalarOf(typed)).toBe(value));

test("filters are what a search takes, without those that are not typed yet", () => {
  expect(
    filtersOf([
      { key: "year", comparison: "atLeast", value: "2025" },
      { key: " kind ", comparison: "isNot", value: "draft" },
      { key: "page", comparison: "anyOf", value: "1, 2,,x" },
      { key: "date", comparison: "atMost", value: "2026-05" },
      { key: "", comparison: "is", value: "x" },
      { key: "author", comparison: "is", value: " " },
    ]),
  ).toEqual([
    { key: "year", match: { range: { gte: 2025 } } },
    { key: "kind", match: { not: "draft" } },
    { key: "page", match: { any: [1, 2, "x"] } },
    { key: "date", match: { range: { lte: "2026-05" } } },
  ]);
});

test.each([
  [{ page: 12, lastPage: 13, heading: "Work › Overtime" }, ["pages 12–13", "Overtime"]],
  [{ slide: 4 }, ["slide 4"]],
  [{ sheet: "Prices", row: 7, heading: "Prices" }, ["sheet \u2068Prices\u2069", "row 7"]],
  [{ startTime: 3725.4 }, ["at 1:02:05"]],
  [{ line: 5, lastLine: 9 }, ["lines 5–9"]],
  [{ line: 5, page: 2 }, ["page 2"]],
  [{ page: "2", sheet: 9 }, []],
  [{}, []],
])("the place %j is %j", (metadata, expected) => expect(placeInWords(metadata)).toEqual(expected));

describe("usage", () => {
  const entry = fc.record({
    day: fc.constantFrom("2026-02-27", "2026-02-28", "2026-03-01"),
    customerId: fc.constantFrom("a", "b", "c", "d"),
    operation: fc.constantFrom("search", "upload"),
    count: fc.nat(1000),
    credits: fc.nat(1000),
  });

  test("every request is drawn once, in as many colours as there are", () => {
    fc.assert(
      fc.property(fc.array(entry), fc.integer({ min: 2, max: 5 }), (entries, most) => {
        const { groups, days, highest } = usageSeries(
          { from: "2026-02-27", to: "2026-03-01", entries },
          "customerId",
          "count",
          most,
        );
        expect(days).toHaveLength(3);
        expect(groups.length).toBeLessThanOrEqual(most);
        expect(groups.reduce((sum, { total }) => sum + total, 0)).toBe(
          entries.reduce((sum, { count }) => sum + count, 0),
        );
        expect(roundedUp(highest)).toBeGreaterThanOrEqual(highest);
      }),
    );
  });

  test("days without any are there, over the end of a month", () =>
    expect(daysBetween("2024-02-28", "2024-03-01")).toEqual(["2024-02-28", "2024-02-29", "2024-03-01"]));
});

describe("words", () => {
  test("somebody's text keeps its direction inside a sentence of ours", () =>
    expect(words.customers.removeTitle("مكتبة")).toBe("Remove \u2068مكتبة\u2069?"));
  test.each([
    [words.counted.files(1), "1 file"],
    [words.counted.files(0), "0 files"],
    [words.counted.files(12_345), "12,345 files"],
    [formats.bytes(0), "0 byte"],
    [formats.bytes(1_234_567), "1.2 MB"],
    [formats.seconds(0.0042), "4.2 ms"],
    [formats.seconds(1.26), "1.3 sec"],
    [formats.since("2026-01-01T00:00:00Z", Date.parse("2026-01-01T03:00:00Z")), "3 hours ago"],
    [formats.day("2026-05-01"), "May 1, 2026"],
  ])("%p is %p", (made, expected) => expect(made).toBe(expected));
});
