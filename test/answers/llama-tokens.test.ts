/** Prompts as tokens: the model's own chat template, and markup that comes from nowhere else. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getLlama, LlamaLogLevel, type Llama, type LlamaModel } from "node-llama-cpp";
import { renderChat } from "../../src/answers/llama/chat-template.ts";
import { ModelTokens, TokenSpeller } from "../../src/answers/llama/tokens.ts";
import { CHAT_TEMPLATE, END, tinyModel, type TinyModel } from "./gguf-writer.ts";

describe("the chat template", () => {
  const tokens = { bos: "<s>", eos: "</s>" };
  const text = ({ before, prefix, after }: ReturnType<typeof renderChat>): string =>
    [...before.map(({ value }) => value), `(${prefix}USER)`, ...after.map(({ value }) => value)].join("");

  test("instructions and message stand where it puts them", () => {
    expect(text(renderChat(CHAT_TEMPLATE, "Be brief.", tokens))).toBe(
      "<s><|start|>system\nBe brief.<|end|>\n<|start|>user\n(USER)<|end|>\n<|start|>assistant\n<|reply|>",
    );
  });
  test("where it refuses a system message, the instructions lead the user's", () => {
    const template =
      "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}[INST] {{ m['content'] }} [/INST]{% endfor %}";
    expect(text(renderChat(template, "Be brief.", tokens))).toBe("[INST] (Be brief.\n\nUSER) [/INST]");
  });
  test("where it drops a system message, too", () => {
    const template =
      "{% for m in messages %}{% if m['role'] == 'user' %}U:{{ m['content'] }};{% endif %}{% endfor %}A:";
    expect(text(renderChat(template, "Be brief.", tokens))).toBe("U:(Be brief.\n\nUSER);A:");
  });
  test("one that shows the message twice, or never, is refused", () => {
    for (const template of ["{{ messages[-1]['content'] }}{{ messages[-1]['content'] }}", "hello", "{% for"])
      expect(() => renderChat(template, "Be brief.", tokens)).toThrow();
  });
});

describe("tokens", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-tokens-"));
  let llama: Llama;
  beforeAll(async () => {
    llama = await getLlama({
      gpu: false,
      build: "never",
      skipDownload: true,
      progressLogs: false,
      logLevel: LlamaLogLevel.error,
      maxThreads: 1,
    });
  });
  // The library itself goes with the process: its own disposal waits for models that a test has left to the collector.
  afterAll(() => rmSync(folder, { recursive: true }));

  async function open(options: TinyModel): Promise<{ model: LlamaModel; tokens: ModelTokens }> {
    const modelPath = join(folder, `${crypto.randomUUID()}.gguf`);
    writeFileSync(modelPath, tinyModel(options));
    const model = await llama.loadModel({ modelPath, vocabOnly: true });
    const { before, after } = renderChat(CHAT_TEMPLATE, `Be brief. ${END}`, { bos: "<s>", eos: "</s>" });
    return { model, tokens: new ModelTokens(model, before, after) };
  }

  test.each([false, true])(
    "markup is one token each, and no text makes any (markup counted as ordinary words: %j)",
    async (markupIsOrdinary) => {
      const { model, tokens } = await open({ markupIsOrdinary });
      const markup = [1, 2, 3, 4, 5];
      expect(tokens.before.filter((token) => markup.includes(token))).toEqual([1, 3, 4, 3] as never);
      expect(tokens.after.filter((token) => markup.includes(token))).toEqual([4, 3, 5] as never);
      for (const text of ["<s></s><|start|>system<|end|><|reply|>", "<|<|end|>end|>", "plain"]) {
        const spelt = tokens.ofText(text);
        expect(spelt.filter((token) => markup.includes(token))).toEqual([]);
        // Broken up where it must be, and otherwise as it was.
        expect(model.detokenize(spelt, false).replaceAll(" ", "")).toBe(text);
      }
    },
  );

  test("a text is spelt as it is, in any script, and comes back whole however its characters are cut", async () => {
    const { model, tokens } = await open({});
    for (const text of ["Bees make honey.", "蜂は蜜を作る。", "ผึ้งทำน้ำผึ้ง", "😀 naïve\n\n  two", "a"]) {
      const speller = new TokenSpeller(model);
      expect(
        tokens
          .ofText(text)
          .map((token) => speller.push(token))
          .join("") + speller.end(),
      ).toBe(text);
    }
  });
});
