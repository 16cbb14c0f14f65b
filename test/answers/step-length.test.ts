/** How many of a prompt's tokens are read at a time: as many as a stop may wait for, and as few as cost nothing. */
import { expect, test } from "bun:test";
import { StepLength } from "../../src/answers/llama/writer.ts";

test.each([
  ["a fast model: the longest step", 10_000, 512],
  ["as many as compute in 80 ms", 5_000, 400],
  ["not fewer than cost nothing", 1_000, 256],
  ["but no more than compute in a second", 150, 150],
  ["and never fewer than the least", 20, 64],
])("%s", (_rule, tokensPerSecond, expected) => {
  const step = new StepLength();
  for (let round = 0; round < 6; round++) step.learn(step.tokens, (step.tokens / tokensPerSecond) * 1000);
  expect(step.tokens).toBe(expected);
});

test("one lucky measurement does not more than double it", () => {
  const step = new StepLength();
  for (let round = 0; round < 6; round++) step.learn(step.tokens, step.tokens * 50);
  step.learn(step.tokens, 0.01);
  expect(step.tokens).toBe(128);
});
