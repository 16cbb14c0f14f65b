/** What goes into one run of the model. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { Lane, RunBudget } from "../../src/embedding/work-queue.ts";

/** A lane whose window holds one text of each length. */
async function laneOf(lengths: number[]): Promise<Lane<string>> {
  const lane = new Lane<string>();
  lane.add("r", new Array<string>(lengths.length).fill("text"));
  await lane.tokenise(lengths.length, async () => lengths.map((length) => new Array<number>(length).fill(1)));
  return lane;
}

test("a run takes the first text and those of similar length that fit beside it", async () => {
  const lane = await laneOf([10, 100, 11, 9, 12]);
  expect(lane.takeRun(36).map(({ index }) => index)).toEqual([0, 2, 3]);
  expect(lane.takeRun(200).map(({ index }) => index)).toEqual([1, 4]);
  expect(lane.isEmpty).toBe(true);
});

test("a text longer than the budget goes alone", async () => {
  expect((await laneOf([5000, 1])).takeRun(100)).toHaveLength(1);
});

test("every text is taken exactly once, and only single texts exceed the budget", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(400), { maxLength: 60 }),
      fc.integer({ min: 1, max: 2000 }),
      async (lengths, budget) => {
        const lane = await laneOf(lengths);
        const taken: number[] = [];
        while (!lane.isEmpty) {
          const run = lane.takeRun(budget);
          const padded = run.length * Math.max(1, ...run.map(({ ids }) => ids.length));
          expect(run.length === 1 || padded <= budget).toBe(true);
          taken.push(...run.map(({ index }) => index));
        }
        expect(taken.sort((a, b) => a - b)).toEqual(lengths.map((_, index) => index));
      },
    ),
  );
});

test("a window may hold more texts than a call takes arguments", async () => {
  const lane = await laneOf(new Array<number>(1_000_000).fill(1));
  expect(lane.takeRun(3).map(({ index }) => index)).toEqual([0, 1, 2]);
  lane.drop("r");
  expect(lane.isEmpty).toBe(true);
});

test("the budget follows the model's speed, between one token and a fixed most", () => {
  const slow = new RunBudget();
  for (let run = 0; run < 20; run += 1) slow.record(300, 300);
  expect(slow.tokens).toBeLessThan(30);
  const fast = new RunBudget();
  for (let run = 0; run < 20; run += 1) fast.record(8192, 2);
  expect(fast.tokens).toBe(8192);
  for (let run = 0; run < 20; run += 1) fast.record(5, 0.1);
  expect(fast.tokens).toBeGreaterThan(100);
});

test("a lane tokenises only its window, and forgets a failed request", async () => {
  const lane = new Lane<string>();
  let tokenised = 0;
  lane.add("a", ["1", "2", "3"]);
  lane.add("b", ["4", "5", "6"]);
  await lane.tokenise(4, async (texts) => texts.map(() => [(tokenised += 1)]));
  expect(tokenised).toBe(4);
  lane.drop("a");
  expect(lane.takeRun(100).map(({ request }) => request)).toEqual(["b", "b"]);
  expect(lane.isEmpty).toBe(false);
  lane.drop("b");
  expect(lane.isEmpty).toBe(true);
});

test("requests take turns: a small one that comes later is done before a large one", async () => {
  const lane = new Lane<string>();
  lane.add(
    "large",
    Array.from({ length: 100 }, () => "text"),
  );
  lane.add("small", ["text"]);
  await lane.tokenise(4, async (texts) => texts.map(() => [1]));
  expect(lane.takeRun(100).map(({ request, index }) => `${request} ${index}`)).toEqual([
    "large 0",
    "small 0",
    "large 1",
    "large 2",
  ]);
});

test("every text of every request is taken once, in its request's order", async () => {
  const lane = new Lane<string>();
  const sizes: Record<string, number> = { a: 5, b: 0, c: 12, d: 1 };
  for (const [request, size] of Object.entries(sizes))
    lane.add(
      request,
      Array.from({ length: size }, () => "text"),
    );
  const taken: Record<string, number[]> = { a: [], b: [], c: [], d: [] };
  while (!lane.isEmpty) {
    await lane.tokenise(3, async (texts) => texts.map(() => [1]));
    for (const { request, index } of lane.takeRun(3)) taken[request]!.push(index);
  }
  for (const [request, size] of Object.entries(sizes))
    expect(taken[request]).toEqual(Array.from({ length: size }, (_, index) => index));
});
