/** How much the terms of a question say: as the built-in model's token weights tell, whatever model embeds. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openEmbedder, type EmbeddedTexts as Read, type Embedder } from "../../src/embedding/index.ts";
import { isIdentifier, wordsOf } from "../../src/embedding/lexical-terms.ts";
import { writeTinyModel } from "./tiny-model.ts";

describe("the built-in model", () => {
  let embedder: Embedder;
  beforeAll(
    async () => void (embedder = await openEmbedder({ modelDirectory: null, threads: 1, maxQueuedTexts: 100 })),
  );
  afterAll(() => embedder.close());

  /** What a question's word says, given that each of these is a single token: its token comes first, then it as a word. */
  const importanceOf = async (word: string): Promise<number> => {
    const { terms, importance } = await embedder.embedWithTerms([word], "query", "search");
    expect(importance[0]!.length).toBe(terms[0]!.length);
    return importance[0]!.at(-1)!;
  };

  test.each([
    ["the", "router"],
    ["how", "water"],
    ["wie", "wasser"],
    ["как", "вода"],
    ["jak", "voda"],
    ["que", "ordinateur"],
  ])("%s says less than %s", async (common, telling) => {
    expect(await importanceOf(common)).toBeLessThan(0.9 * (await importanceOf(telling)));
  });

  test("an identifier says more than any word", async () => {
    for (const identifier of ["AX-4711-QX", "E_CONN_0x80070005", "1998", "config.yaml"]) {
      const { importance } = await embedder.embedWithTerms([`where is ${identifier} kept`], "query", "search");
      expect(Math.max(...importance[0]!)).toBe(4);
    }
  });

  test("passages are not weighed", async () => {
    expect((await embedder.embedWithTerms(["the router"], "passage", "search")).importance).toEqual([]);
  });

  test("has a weight for every token of its vocabulary", () => {
    const folder = join(import.meta.dir, "../../models/default");
    const { model } = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8")) as {
      model: { vocab: unknown[] };
    };
    expect(statSync(join(folder, embedder.manifest.search.tokenWeights!)).size).toBe(model.vocab.length);
  });
});

test.each([
  ["as they are", {}],
  ["with prefixes", { queryPrefix: "query: ", passagePrefix: "query: " }],
])("another model, which reads texts %s, has the same terms, and they say the same", async (_how, manifest) => {
  const folder = writeTinyModel({ pooling: "mean", manifest });
  const [own, builtIn] = await Promise.all(
    [folder, null].map((modelDirectory) => openEmbedder({ modelDirectory, threads: 1, maxQueuedTexts: 100 })),
  );
  try {
    // Longer than the tiny model reads.
    const texts = ["red rock 42", "", `wie ist das Wasser ${"blau ".repeat(50)}`];
    for (const kind of ["query", "passage"] as const) {
      const [{ vectors, ...read }, { vectors: _vectors, ...expected }] = (await Promise.all(
        [own!, builtIn!].map((embedder) => embedder.embedWithTerms(texts, kind, "search")),
      )) as [Read, Read];
      expect(read).toEqual(expected);
      expect(vectors.map(({ length }) => length)).toEqual([4, 4, 4]);
      expect(await own!.terms(texts, "upload")).toEqual(expected.terms);
    }
  } finally {
    await Promise.all([own!.close(), builtIn!.close()]);
    rmSync(folder, { recursive: true });
  }
});

test("identifiers have a digit, or a joint that words of a language do not have", () => {
  expect(wordsOf("Ventil AX-4711 von 1998, config.yaml, max_size, std:sort").filter(isIdentifier)).toEqual([
    "ax-4711",
    "4711",
    "1998",
    "config.yaml",
    "max_size",
    "std:sort",
  ]);
  expect(wordsOf("într-un dosar, из-за, est-ce, anak-anak, and/or, e.g. z.B. т.е.").filter(isIdentifier)).toEqual([]);
});

test("a question of very many words is weighed in bounded time", async () => {
  const embedder = await openEmbedder({ modelDirectory: null, threads: 1, maxQueuedTexts: 10 });
  try {
    const { terms, importance } = await embedder.embedWithTerms(
      [Array.from({ length: 9000 }, (_, index) => `w${"abcdefghij"[index % 10]}${index % 7 ? "" : index}`).join(" ")],
      "query",
      "search",
    );
    expect(importance[0]!.length).toBe(terms[0]!.length);
    expect(importance[0]!.every((value) => value > 0 && value <= 4)).toBe(true);
  } finally {
    await embedder.close();
  }
});
