/** What an assistant may give a tool. */
import { expect, test } from "bun:test";
import { failureOf } from "../harness.ts";
import { readArguments, type ToolSchema } from "../../src/mcp/arguments.ts";

const schema: ToolSchema = {
  type: "object",
  properties: {
    question: { type: "string", description: "" },
    limit: { type: "integer", description: "", minimum: 1, maximum: 9 },
    from: { type: "integer", description: "", minimum: 0 },
  },
  required: ["question"],
  additionalProperties: false,
};

const taken: readonly (readonly [given: unknown, read: object])[] = [
  [{ question: "?" }, { question: "?" }],
  [
    { question: "?", limit: 9 },
    { question: "?", limit: 9 },
  ],
  [{ question: "?", limit: null }, { question: "?" }],
];
test.each(taken)("%j is taken", (given, read) => {
  expect(readArguments(given, schema)).toEqual(read as never);
});

const refused: readonly (readonly [given: unknown, sentence: string])[] = [
  [undefined, "the argument question is missing."],
  [{}, "the argument question is missing."],
  [{ question: null }, "the argument question is missing."],
  [{ question: 1 }, "question must be a string."],
  [{ question: "?", limit: 10 }, "limit must be a whole number from 1 to 9."],
  [{ question: "?", limit: 1.5 }, "limit must be a whole number from 1 to 9."],
  [{ question: "?", from: -1 }, "from must be a whole number, 0 or more."],
  [{ question: "?", toString: "?" }, 'there is no argument "toString", only question, limit, from.'],
];
test.each(refused)("%j is refused", async (given, sentence) => {
  const failure = await failureOf(Promise.resolve().then(() => readArguments(given, schema)));
  expect(failure).toMatchObject({ code: "INVALID_REQUEST" });
  expect(failure.message).toContain(sentence);
});
