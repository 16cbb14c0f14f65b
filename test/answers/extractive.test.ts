/** Answers in the documents' own words. */
import { expect, test } from "bun:test";
import { failureOf } from "../harness.ts";
import { createExtractiveAnswerer, NOTHING_FOUND } from "../../src/answers/index.ts";

/** Texts are near when they share words: enough to tell which sentences are chosen. */
const vocabulary = ["bees", "honey", "hive", "queen", "car", "oil", "tyres"];
const embedder = {
  embed: (texts: readonly string[]) =>
    Promise.resolve(
      texts.map((text) => {
        const vector = Float32Array.from(vocabulary, (word) => (text.toLowerCase().includes(word) ? 1 : 0));
        const length = Math.hypot(...vector) || 1;
        return vector.map((value) => value / length);
      }),
    ),
};
const answerer = createExtractiveAnswerer(embedder);

/** Each passage of a document of its own. */
const found = (text: string, index: number) => ({ text, document: `document ${index}`, position: 0 });

async function ask(question: string, passages: string[]): Promise<string> {
  const answer = await answerer.answer({ question, passages: passages.map(found), signal: new AbortController().signal });
  expect(answer.model).toBe("extractive");
  expect(answer.usage()).toEqual({ promptTokens: 0, completionTokens: 0 });
  return (await Array.fromAsync(answer.text)).join("");
}

test("the nearest sentence, with the number of its passage", async () => {
  expect(await ask("Who makes honey?", ["A car needs oil now and then.", "The weather was fine. All the honey comes from here."])).toBe("All the honey comes from here. [2]");
});

test("several sentences stand in reading order", async () => {
  const passage = "In every hive lives one queen. Nothing to see in here. The queen rules the whole hive.";
  expect(await ask("hive queen", [passage])).toBe("In every hive lives one queen. [1] The queen rules the whole hive. [1]");
});

test("a sentence that two passages share is said once, for the better one", async () => {
  const shared = "The bees make all the honey.";
  expect(await ask("bees honey", [shared, `${shared} Something else follows after it.`])).toBe(`${shared} [1]`);
});

test("nothing found is said as such", async () => {
  expect(await ask("bees", [])).toBe(NOTHING_FOUND);
  expect(await ask("bees", ["  "])).toBe(NOTHING_FOUND);
});

test("a question nobody waits for any more is not worked on", async () => {
  const controller = new AbortController();
  controller.abort();
  const failure = await failureOf(answerer.answer({ question: "bees", passages: [found("The bees make all the honey.", 0)], signal: controller.signal }));
  expect(failure.name).toBe("AbortError");
});
