/** Answers in the documents' own words. */
import { describe, expect, test } from "bun:test";
import { failureOf } from "../harness.ts";
import { createExtractiveAnswerer, type FoundPassage, type QuestionReader } from "../../src/answers/index.ts";
import { nothingFoundIn } from "../../src/answers/nothing-found.ts";

/** Texts are near when they share words: enough to tell which sentences are chosen. */
const vocabulary = ["bees", "honey", "hive", "queen", "car", "oil", "tyres"];
const has = (text: string, word: string): boolean => text.toLowerCase().includes(word);
const embedder = {
  embed: (texts: readonly string[]) =>
    Promise.resolve(
      texts.map((text) => {
        const vector = Float32Array.from(vocabulary, (word) => (has(text, word) ? 1 : 0));
        const length = Math.hypot(...vector) || 1;
        return vector.map((value) => value / length);
      }),
    ),
  // A text's terms are the words of the vocabulary that it holds.
  terms: (texts: readonly string[]) =>
    Promise.resolve(
      texts.map((text) => Uint32Array.from(vocabulary.keys().filter((term) => has(text, vocabulary[term]!)))),
    ),
};
const answerer = createExtractiveAnswerer(embedder);

/** Reads for a question of these words, all of the same weight. */
function readerFor(...words: string[]): QuestionReader {
  const asked = words.map((word) => vocabulary.indexOf(word));
  return {
    question: {
      terms: Uint32Array.from(asked),
      importance: new Float32Array(asked.length),
      holders: new Uint32Array(asked.length),
      chunks: 1,
      common: { tokens: new Uint32Array(0), shares: new Float32Array(0) },
    },
    ranking: {
      read: ({ texts }) =>
        Promise.resolve({
          weights: new Float32Array(asked.length).fill(1 / asked.length),
          texts: texts.map((terms) => ({
            matches: Float32Array.from(asked, (term) => (terms.includes(term) ? 1 : 0)),
            pairs: 0,
          })),
        }),
    },
  };
}

/** Each passage of a document of its own. */
const found = (text: string, index: number): FoundPassage => ({
  text,
  source: "a.txt",
  document: `document ${index}`,
  position: 0,
  score: 1,
  support: 1,
  held: 1,
});

async function ask(
  question: string,
  passages: readonly FoundPassage[],
  { reader = null, floor = 0 }: { reader?: QuestionReader | null; floor?: number } = {},
): Promise<string> {
  const answer = await answerer.answer({ question, passages, floor, reader, signal: new AbortController().signal });
  expect(answer.model).toBe("extractive");
  expect(answer.usage()).toEqual({ promptTokens: 0, completionTokens: 0 });
  return (await Array.fromAsync(answer.text)).join("");
}

describe.each([
  ["by their vectors", null],
  ["by reading them", readerFor("bees", "honey", "hive", "queen")],
] as const)("sentences are chosen %s", (_way, reader) => {
  test("the nearest sentence, with the number of its passage", async () => {
    expect(
      await ask(
        "Who makes honey?",
        ["A car needs oil now and then.", "The weather was fine. All the honey comes from here."].map(found),
        { reader: reader && readerFor("honey") },
      ),
    ).toBe("All the honey comes from here. [2]");
  });

  test("several sentences stand in reading order", async () => {
    const passage = "In every hive lives one queen. Nothing to see in here. The queen rules the whole hive.";
    expect(await ask("hive queen", [found(passage, 0)], { reader: reader && readerFor("hive", "queen") })).toContain(
      "In every hive lives one queen. [1]",
    );
    expect(await ask("hive queen", [found(passage, 0)], { reader: reader && readerFor("hive", "queen") })).toEndWith(
      "The queen rules the whole hive. [1]",
    );
  });

  test("a sentence that two passages share is said once, for the better one", async () => {
    const shared = "The bees make all the honey.";
    expect(
      await ask("bees honey", [shared, `${shared} Something else follows after it.`].map(found), { reader }),
    ).toStartWith(`${shared} [1]`);
  });

  test("nothing found is said as such", async () => {
    expect(await ask("bees", [], { reader })).toBe(nothingFoundIn("en"));
    expect(await ask("bees", [found("  ", 0)], { reader })).toBe(nothingFoundIn("en"));
  });

  test("no sentence is taken of a passage below the floor", async () => {
    const passages = [
      found("The queen rules the whole hive.", 0),
      { ...found("The bees and the queen make all the honey of the hive.", 1), support: 0.3 },
    ];
    expect(await ask("Do bees make honey, or the queen of the hive?", passages, { reader, floor: 0.4 })).toBe(
      "The queen rules the whole hive. [1]",
    );
  });

  test("a question nobody waits for any more is not worked on", async () => {
    const controller = new AbortController();
    controller.abort();
    const failure = await failureOf(
      answerer.answer({
        question: "bees",
        passages: [found("The bees make all the honey.", 0)],
        floor: 0,
        reader,
        signal: controller.signal,
      }),
    );
    expect(failure.name).toBe("AbortError");
  });
});

test("what a sentence says of what stands before it counts", async () => {
  const passages = ["The queen meets the other bees. They all live in one hive.", "The hive stands in the garden."].map(
    found,
  );
  expect(
    await ask("In which hive do queen and bees live?", passages, { reader: readerFor("hive", "queen", "bees") }),
  ).toBe("The queen meets the other bees. [1] They all live in one hive. [1]");
});

test("of sentences that hold as much, those of the passage that holds more are taken", async () => {
  const passages = [
    { ...found("The bees of the north make honey.", 0), held: 0.4 },
    { ...found("The bees of the south make honey.", 1), held: 1.6 },
  ];
  expect(await ask("Which bees make honey?", passages, { reader: readerFor("bees", "honey") })).toBe(
    "The bees of the south make honey. [2]",
  );
});

test("where neighbours were joined, a sentence has the worth of its own part", async () => {
  const passages = [
    {
      text: "The queen lives in the hive.",
      source: "a.txt",
      document: "d",
      position: 1,
      score: 0.9,
      support: 0.9,
      held: 1.6,
    },
    {
      text: "A car needs oil and tyres and a queen.",
      source: "a.txt",
      document: "d",
      position: 0,
      score: 0.8,
      support: 0.8,
      held: 0.3,
    },
  ];
  expect(await ask("Where does the queen live?", passages, { reader: readerFor("queen") })).toBe(
    "The queen lives in the hive. [1]",
  );
});

test("a question without any word is answered by vectors", async () => {
  expect(await ask("??", [found("The bees make all the honey.", 0)], { reader: readerFor() })).toBe(
    "The bees make all the honey. [1]",
  );
});
