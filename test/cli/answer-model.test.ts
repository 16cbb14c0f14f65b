/** `lectern model` for language models: what is refused, what is copied, what is said. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tinyModel } from "../answers/gguf-writer.ts";
import { lectern, temporaryFolder } from "./lectern.ts";

setDefaultTimeout(30_000);

const folder = temporaryFolder();
const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
const models = join(folder.dataDirectory, "models");
afterAll(() => folder.remove());

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  return path;
}

const good = tinyModel({ script: ["Yes", "."] });
/** Rows of 64 numbers that make a model of more than a terabyte. */
const HUGE_ROWS = 2 ** 33;
const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

describe("model add FILE.gguf", () => {
  const refused: readonly (readonly [what: string, bytes: Uint8Array, sentence: RegExp])[] = [
    ["no GGUF at all", new TextEncoder().encode("this is a text, however it is called"), /is no GGUF file/],
    ["an empty file", new Uint8Array(0), /is no GGUF file/],
    ["another version", Uint8Array.from([...good.subarray(0, 4), 9, 0, 0, 0, ...good.subarray(8)]), /version 9/],
    ["a file cut off in its weights", good.subarray(0, good.length - 5000), /cut short: it holds \d+ of \d+ bytes/],
    ["a file cut off in its head", good.subarray(0, 900), /cut short/],
    [
      "nothing but a head's promise",
      Uint8Array.from([...good.subarray(0, 8), ...new Uint8Array(16).fill(255)]),
      /damaged|cut short/,
    ],
    ["an architecture that llama.cpp does not know", tinyModel({ architecture: "telegraph" }), /cannot be loaded/],
    ["a model without a chat template", tinyModel({ chatTemplate: null }), /no chat template/],
    [
      "a chat template that is none",
      tinyModel({ chatTemplate: "{% for x in %}" }),
      /chat template that cannot be used/,
    ],
    [
      "a chat template that leaves the question out",
      tinyModel({ chatTemplate: "hello" }),
      /chat template that cannot be used/,
    ],
  ];
  test.each(refused)("%s is refused, and nothing of it stays", async (_what, bytes, sentence) => {
    const { code, stderr } = await run("model", "add", file("refused.gguf", bytes));
    expect(stderr).toMatch(sentence);
    expect(code).toBe(1);
    expect(existsSync(models) ? readdirSync(models) : []).toEqual([]);
  });

  test("a file that is not there", async () => {
    expect((await run("model", "add", join(folder.path, "nothing.gguf"))).stderr).toContain("There is nothing at");
  });

  test("a hash beside it that is another's", async () => {
    const path = file("hashed.gguf", good);
    writeFileSync(`${path}.sha256`, `${"0".repeat(64)}  hashed.gguf\n`);
    expect((await run("model", "add", path)).stderr).toMatch(
      /hashed\.gguf is damaged: its SHA-256 is [0-9a-f]{64}, and the \.sha256 file beside it says 0{64}/,
    );
    expect(readdirSync(models)).toEqual([]);
  });

  test("a good one is copied, private and with its hash, and its memory is told", async () => {
    const path = file("Tiny Model (Q8).gguf", good);
    writeFileSync(`${path}.sha256`, `${hashOf(good).toUpperCase()} *Tiny Model (Q8).gguf\n`);
    const { code, stdout } = await run("model", "add", path);
    expect(stdout).toContain("Model Tiny-Model-Q8- is there: tiny, llama");
    expect(stdout).toMatch(/It takes about .* of memory .* this machine has .* GB, of which .* are free\./);
    expect(code).toBe(0);
    expect(readdirSync(join(models, "Tiny-Model-Q8-")).sort()).toEqual(["Tiny Model (Q8).gguf", "answer-model.json"]);
    expect(statSync(join(models, "Tiny-Model-Q8-")).mode & 0o777).toBe(0o700);
    expect(statSync(join(models, "Tiny-Model-Q8-", "Tiny Model (Q8).gguf")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(models, "Tiny-Model-Q8-", "answer-model.json"), "utf8")).toContain(hashOf(good));
    expect((await run("model", "add", path)).stderr).toContain('There is a model "Tiny-Model-Q8-" already');
    expect((await run("model", "remove", "Tiny-Model-Q8-", "--yes")).code).toBe(0);
    expect(readdirSync(models)).toEqual([]);
  });

  test("one that the disk has no room for is refused before it is copied", async () => {
    const path = file("huge.gguf", tinyModel({ declaredRows: HUGE_ROWS }));
    // As long as the weights it announces, and almost nothing on the disk.
    truncateSync(path, HUGE_ROWS * 64 * 4 + 1e6);
    const { code, stderr } = await run("model", "add", path);
    expect(stderr).toMatch(/The model has \d+\.\d GB, and .*models has room for/);
    expect(code).toBe(1);
    expect(readdirSync(models)).toEqual([]);
  });
});

describe("a folder", () => {
  test("with one model is taken under its own name; with several it is refused", async () => {
    const path = join(folder.path, "my-model");
    mkdirSync(path);
    writeFileSync(join(path, "weights.gguf"), good);
    expect((await run("model", "add", path, "--json")).json()).toMatchObject({
      name: "my-model",
      kind: "answer",
      architecture: "llama",
      hashChecked: false,
    });
    writeFileSync(join(path, "other.gguf"), good);
    expect((await run("model", "add", path, "--name", "two")).stderr).toContain(
      "holds 2 models, and a folder is one model",
    );
  });

  test("with a part of a model missing is refused", async () => {
    const path = join(folder.path, "in-parts");
    mkdirSync(path);
    writeFileSync(join(path, "m-00001-of-00002.gguf"), good);
    expect((await run("model", "add", path)).stderr).toContain("holds 1 of the 2 parts of its model");
    expect((await run("model", "add", join(path, "m-00001-of-00002.gguf"))).stderr).toContain(
      "holds 1 of the 2 parts of its model",
    );
  });
});

describe("one that is there", () => {
  beforeAll(async () => {
    if (!existsSync(join(models, "my-model"))) await run("model", "add", file("my-model.gguf", good));
  });

  test("is listed beside the embedding models", async () => {
    const listed = (await run("model", "list", "--json")).json();
    expect(listed.slice(0, 2)).toMatchObject([
      { name: "default", kind: "embedding", inUse: true },
      { name: "my-model", kind: "answer", inUse: false, title: "tiny", problem: null },
    ]);
    expect((await run("model", "list")).stdout).toMatch(
      /my-model +answers .* tiny \(llama\), takes about .* of memory/,
    );
  });

  test("is chosen by one line in lectern.toml, and left for none again", async () => {
    const toml = join(folder.dataDirectory, "lectern.toml");
    writeFileSync(toml, "port = 8099\n");
    expect((await run("model", "use", "my-model")).stdout).toBe(
      "Model my-model answers queries from the next start of the server on.\n",
    );
    expect(readFileSync(toml, "utf8")).toBe('answer_model = "my-model"\nport = 8099\n');
    expect((await run("model", "list", "--json")).json()[1]).toMatchObject({ inUse: true });
    expect((await run("model", "remove", "my-model", "--yes")).stderr).toContain(
      "The model my-model is in use. Choose another first: lectern model use extractive",
    );
    expect((await run("model", "use", "extractive")).code).toBe(0);
    expect(readFileSync(toml, "utf8")).toBe("port = 8099\n");
  });

  test("is verified, and damage that came later is found", async () => {
    expect((await run("model", "verify", "my-model")).stdout).toBe("my-model: good\n");
    const path = join(models, "my-model", "weights.gguf");
    const bytes = readFileSync(path);
    bytes[bytes.length - 100]! ^= 1;
    writeFileSync(path, bytes);
    const verified = await run("model", "verify", "my-model");
    expect(verified.code).toBe(1);
    expect(verified.stdout).toMatch(
      /my-model: weights\.gguf is damaged: its SHA-256 is .* what was recorded when it was added says/,
    );
  });

  test("the built-in model cannot be removed, nor one that is not there", async () => {
    expect((await run("model", "remove", "default", "--yes")).stderr).toContain("part of the executable");
    expect((await run("model", "remove", "../..", "--yes")).stderr).toContain("There is no model");
  });
});
