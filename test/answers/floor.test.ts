/** What is said where nothing that was found is sure enough to answer. */
import { expect, test } from "bun:test";
import { withFloor, type Answer, type AnswerRequest, type FoundPassage } from "../../src/answers/index.ts";
import { nothingFoundIn } from "../../src/answers/nothing-found.ts";

const asked: AnswerRequest[] = [];
const answerer = withFloor({
  model: "tiny",
  passagesWanted: 3,
  answer(request): Promise<Answer> {
    asked.push(request);
    return Promise.resolve({
      model: "tiny",
      given: [],
      text: (async function* () {
        yield "Yes.";
      })(),
      usage: () => ({ promptTokens: 7, completionTokens: 1 }),
    });
  },
  problem: () => null,
  load: () => ({ running: 0, waiting: 0, sequences: 1, processBytes: 0, starts: 0 }),
  close: () => Promise.resolve(),
});

const passage = (support: number, text = `Bees make honey, as ${support} shows.`): FoundPassage => ({
  text,
  source: "a.txt",
  document: text,
  position: 0,
  score: 0.5,
  support,
  held: 0.5,
});
const ask = (question: string, passages: readonly FoundPassage[], floor: number) =>
  answerer.answer({ question, passages, floor, reader: null, signal: new AbortController().signal });

test("from the floor on, the answerer is asked with all that was found", async () => {
  const passages = [passage(0.5), passage(0.1)];
  expect(await Array.fromAsync((await ask("Bees?", passages, 0.5)).text)).toEqual(["Yes."]);
  expect(asked.at(-1)!.passages).toEqual(passages);
  expect(answerer.passagesWanted).toBe(3);
});

test("below it, one piece of text says so in the question's language, without the answerer, beside what was found", async () => {
  const before = asked.length;
  const passages = [
    passage(0.49),
    passage(0.2, "A car needs new oil every ten thousand kilometres."),
    { ...passage(0.1), text: passage(0.49).text },
  ];
  const answer = await ask("Was ist die Hauptstadt von Peru?", passages, 0.5);
  expect(await Array.fromAsync(answer.text)).toEqual([nothingFoundIn("de")]);
  expect(answer.model).toBe("tiny");
  expect(answer.usage()).toEqual({ promptTokens: 0, completionTokens: 0 });
  expect(answer.given.map(({ from }) => from)).toEqual([[0], [1]]);
  expect(asked.length).toBe(before);
});

test("who could answer does, wherever it stands among the best; beyond those nobody looks", async () => {
  const at = (place: number) =>
    Array.from({ length: 12 }, (_, index) => passage(index === place ? 0.9 : 0.1, `Passage ${index}.`));
  expect(await Array.fromAsync((await ask("Bees?", at(7), 0.5)).text)).toEqual(["Yes."]);
  expect(await Array.fromAsync((await ask("Bees?", at(8), 0.5)).text)).toEqual([nothingFoundIn("en")]);
});

test("nothing found is below any floor", async () => {
  const answer = await ask("ペルーの首都はどこですか", [], 0);
  expect(await Array.fromAsync(answer.text)).toEqual([nothingFoundIn("ja")]);
  expect(answer.given).toEqual([]);
});

test("no more is listed than a search shows", async () => {
  const answer = await ask(
    "Bees?",
    Array.from({ length: 24 }, (_, index) =>
      passage(
        0.1,
        `Passage ${index} is about something of its own, ${"abcdefghijklmnopqrstuvwxyz"[index]!.repeat(20)}.`,
      ),
    ),
    0.5,
  );
  expect(answer.given).toHaveLength(8);
});
