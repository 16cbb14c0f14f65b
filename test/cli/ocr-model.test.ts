/** Languages of scans and pictures on the command line: added, listed, checked and removed. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program, testWith } from "../requirements.ts";
import { answering, lectern, temporaryFolder } from "./lectern.ts";

setDefaultTimeout(60_000);

const data = join(import.meta.dir, "../../node_modules/@tesseract.js-data");
const packedOf = (code: string): string => join(data, code, "4.0.0_best_int", `${code}.traineddata.gz`);
const packed = readFileSync(packedOf("ell"));
const greek = Bun.gunzipSync(packed);

const folder = temporaryFolder();
const models = join(folder.dataDirectory, "models");
const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
const present = (): string[] => (existsSync(models) ? readdirSync(models).toSorted() : []);
const rows = async (): Promise<string[]> =>
  (await run("model", "list")).stdout.split("\n").filter((row) => / scans /.test(row));
afterAll(() => folder.remove());

describe("what is refused, and leaves nothing", () => {
  const text = new TextEncoder().encode("this is a text, however it is called");
  const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...greek.subarray(0, 5000)]);
  const notLoaded = /ell\.traineddata cannot be loaded: it is damaged, or no data of Tesseract 4 or 5/;
  const refused: readonly (readonly [what: string, name: string, bytes: Uint8Array, code: number, RegExp])[] = [
    ["an empty file", "ell.traineddata", new Uint8Array(), 1, notLoaded],
    ["a text", "ell.traineddata", text, 1, notLoaded],
    ["a picture", "ell.traineddata", picture, 1, notLoaded],
    ["a file cut off", "ell.traineddata", greek.subarray(0, 500_000), 1, notLoaded],
    ["a text, packed", "ell.traineddata.gz", Bun.gzipSync(text), 1, notLoaded],
    ["a packed file cut off", "ell.traineddata.gz", packed.subarray(0, 20_000), 1, /ell\.traineddata\.gz is damaged/],
    ["one that is not packed and called so", "ell.traineddata.gz", greek, 1, /ell\.traineddata\.gz is damaged/],
    [
      "a tag for a name",
      "el.traineddata.gz",
      packed,
      2,
      /"el" cannot be .* as Tesseract does, which is ell\.traineddata/,
    ],
    ["two letters that are no tag", "qq.traineddata", greek, 2, /"qq" cannot be .* such as jpn\.traineddata/],
    ["a name that is none", "my greek.traineddata", greek, 2, /"my greek" cannot be a language's name/],
    ["what detects the writing", "osd.traineddata.gz", readFileSync(packedOf("osd")), 2, /"osd" is no language/],
  ];
  test.each(refused)("%s", async (_what, name, bytes, code, sentence) => {
    const path = join(folder.path, name);
    writeFileSync(path, bytes);
    const result = await run("model", "add", path);
    expect(result.stderr).toMatch(sentence);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(present()).toEqual([]);
  });

  test("a file that is not there", async () => {
    expect((await run("model", "add", join(folder.path, "jpn.traineddata"))).stderr).toContain("There is no file");
  });

  test("another name", async () => {
    const result = await run("model", "add", packedOf("ell"), "--name", "greek");
    expect(result.stderr).toContain('A language\'s name is its own: this is kept as "ell". Leave --name out.');
    expect(result.code).toBe(2);
  });
});

describe("one that is there", () => {
  const file = join(models, "ell", "ell.traineddata");
  beforeAll(async () => {
    const { code, stdout } = await run("model", "add", packedOf("ell"));
    expect(stdout).toBe("Greek (ell) is there: scans and pictures in it are read from now on.\n");
    expect(code).toBe(0);
  });

  test("lies unpacked and private, with its hash", () => {
    expect(readdirSync(join(models, "ell")).toSorted()).toEqual(["ell.traineddata", "ocr.json"]);
    expect(readFileSync(file).equals(greek)).toBe(true);
    expect(statSync(join(models, "ell")).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("is listed after those that are built in, and in use", async () => {
    expect((await rows()).map((row) => row.split(/ +/)[1])).toEqual(["eng", "deu", "fra", "spa", "ell"]);
    expect((await rows()).at(-1)).toMatch(/^\* +ell +scans +2\.1 MB +not told +Greek \(ell\)$/);
    expect((await run("model", "list", "--json")).json().at(-1)).toEqual({
      name: "ell",
      kind: "ocr",
      builtIn: false,
      inUse: true,
      title: "Greek (ell)",
      what: "Greek (ell)",
      bytes: greek.length,
      licence: "",
      problem: null,
    });
  });

  test("is not taken again, and cannot be chosen", async () => {
    expect((await run("model", "add", packedOf("ell"))).stderr).toMatch(
      /There is a model "ell" already, in .*\/ell\. To replace it: lectern model remove ell\n/,
    );
    expect((await run("model", "use", "ell")).stderr).toContain("is used wherever it is found");
  });

  test("takes the place of its like that is built in, until it is removed", async () => {
    const path = join(folder.path, "deu.traineddata.gz");
    copyFileSync(packedOf("deu"), path);
    expect((await run("model", "add", path)).code).toBe(0);
    expect((await rows()).filter((row) => row.includes("(deu)"))).toEqual([
      expect.stringMatching(/^\* +deu +scans +\S+ MB +not told +German \(deu\)$/),
    ]);
    expect((await run("model", "remove", "deu", "--yes", "--json")).json()).toEqual({ name: "deu", removed: true });
    expect((await rows()).filter((row) => row.includes("(deu)"))).toEqual([expect.stringContaining("built in")]);
  });

  test("is verified, and damage that came later is found", async () => {
    expect((await run("model", "verify", "ell")).stdout).toBe("ell: good\n");
    const bytes = readFileSync(file);
    bytes[bytes.length - 1000]! ^= 1;
    writeFileSync(file, bytes);
    const verified = await run("model", "verify", "ell");
    expect(verified.stdout).toMatch(
      /^ell: ell\.traineddata is damaged: its SHA-256 is [0-9a-f]{64}, and when it was added it was [0-9a-f]{64}\.\n$/,
    );
    expect(verified.code).toBe(1);
  });

  testWith(program("script"))("is removed once a terminal said so", async () => {
    const words = ["model", "remove", "ell", "--data-dir", folder.dataDirectory];
    const refused = await answering("n", words);
    expect(refused.output).toContain("Model ell (scans) takes 2.1 MB. Remove for good? [y/N]");
    expect(refused.output).toContain("lectern: Nothing was removed.");
    expect(refused.code).toBe(1);
    expect(present()).toEqual(["ell"]);
    const removed = await answering("y", words);
    expect(removed.output).toContain("Model ell is removed.");
    expect(removed.code).toBe(0);
    expect(present()).toEqual([]);
  });
});
