/** `lectern model` and `lectern doctor`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withModelLine } from "../../src/cli/models/choice.ts";
import { idOf, PROMPT, saying, timeId, writeWhisper } from "../documents/speech/tiny-whisper.ts";
import { lectern, serve, temporaryFolder } from "./lectern.ts";

const builtIn = join(import.meta.dir, "../../models/default");
const folder = temporaryFolder();
const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
afterAll(() => folder.remove());

/** A model folder of the built-in model's files under another name, changed as asked. */
function modelFolder(name: string, change: (manifest: any) => void = () => {}): string {
  const path = join(folder.path, name);
  mkdirSync(path);
  const manifest = JSON.parse(readFileSync(join(builtIn, "manifest.json"), "utf8"));
  manifest.name = name;
  change(manifest);
  writeFileSync(join(path, "manifest.json"), JSON.stringify(manifest));
  for (const file of Object.keys(manifest.files))
    if (existsSync(join(builtIn, file))) symlinkSync(join(builtIn, file), join(path, file));
  return path;
}

describe("model", () => {
  beforeAll(async () => {
    await run("customer", "create", "acme", "--credits", "unlimited");
  });

  test("the built-in one is there and good", async () => {
    expect((await run("model", "list", "--json")).json()[0]).toMatchObject({
      name: "default",
      kind: "embedding",
      builtIn: true,
      inUse: true,
      dimensions: 1536,
    });
    expect((await run("model", "verify", "default")).stdout).toBe("default: good\n");
  });

  test("those for speech and scans are listed with what they may be used for, and good", async () => {
    const { stdout } = await run("model", "list");
    expect(stdout).toMatch(/^\* +moonshine-tiny +speech +28\.2 MB +MIT +built in, Moonshine tiny, en$/m);
    for (const [code, title] of [
      ["eng", "English"],
      ["deu", "German"],
      ["fra", "French"],
      ["spa", "Spanish"],
    ])
      expect(stdout).toMatch(
        new RegExp(`^\\* +${code} +scans +\\d\\.\\d MB +Apache-2\\.0 +built in, ${title} \\(${code}\\)$`, "m"),
      );
    expect((await run("model", "verify")).stdout).toBe(
      ["default", "moonshine-tiny", "eng", "deu", "fra", "spa"].map((name) => `${name}: good\n`).join(""),
    );
    expect((await run("model", "remove", "moonshine-tiny", "--yes")).stderr).toContain(
      "The built-in model moonshine-tiny is part of the executable",
    );
  });

  test("a folder is checked, copied whole and private, and listed", async () => {
    const added = await run("model", "add", modelFolder("other"), "--json");
    expect(added.json()).toMatchObject({ name: "other", dimensions: 1536 });
    expect(readdirSync(join(folder.dataDirectory, "models"))).toEqual(["other"]);
    expect((await run("model", "list")).stdout).toMatch(/^\* +default .*\n +other /m);
    expect((await run("model", "add", join(folder.path, "other"))).stderr).toContain(
      'There is a model "other" already',
    );
  });

  test("a folder that is damaged, incomplete or none is refused, and nothing of it stays", async () => {
    const wrongHash = modelFolder("wrong-hash", (manifest) => (manifest.files["tokenizer.json"] = "0".repeat(64)));
    const wrongSize = modelFolder("wrong-size", (manifest) => (manifest.dimensions = 768));
    for (const [source, sentence] of [
      [wrongHash, /tokenizer\.json is damaged/],
      [wrongSize, /1536|768|dimensions/],
      [folder.path, /not a model folder/],
    ] as const) {
      const refused = await run("model", "add", source);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(sentence);
    }
    expect(readdirSync(join(folder.dataDirectory, "models"))).toEqual(["other"]);
  });

  test("a choice is one line in lectern.toml, beside what stands there", async () => {
    writeFileSync(join(folder.dataDirectory, "lectern.toml"), "# ours\nport = 8099\n");
    expect((await run("model", "use", "other")).code).toBe(0);
    expect(readFileSync(join(folder.dataDirectory, "lectern.toml"), "utf8")).toBe(
      'model = "other"\n# ours\nport = 8099\n',
    );
    expect((await run("model", "list", "--json")).json().slice(0, 2)).toMatchObject([
      { name: "default", inUse: false },
      { name: "other", builtIn: false, inUse: true },
    ]);
    expect((await run("model", "use", "nothing")).stderr).toContain('There is no model "nothing"');
  });

  test("damage that comes later is found by verify and doctor", async () => {
    truncateSync(join(folder.dataDirectory, "models/other/tokenizer.json"), 100);
    const verified = await run("model", "verify", "--json");
    expect(verified.code).toBe(1);
    expect(verified.json().slice(0, 2)).toEqual([
      { name: "default", good: true, problem: null },
      { name: "other", good: false, problem: expect.stringContaining("tokenizer.json is damaged") },
    ]);
    const doctor = await run("doctor");
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/WRONG +model: .*tokenizer\.json is damaged/);
  });
});

test("the model line is replaced, added or left out; other lines stay", () => {
  expect(withModelLine('a = 1\nmodel = "x" # old\nb = 2', "y")).toBe('model = "y"\na = 1\nb = 2');
  expect(withModelLine("a = 1", "y")).toBe('model = "y"\na = 1');
  expect(withModelLine('model="x"\na = 1', null)).toBe("a = 1");
});

describe("doctor", () => {
  const place = temporaryFolder();
  afterAll(() => place.remove());
  const doctor = (...words: string[]) => lectern(["doctor", "--data-dir", place.dataDirectory, ...words]);

  test("a directory that is not there", async () => {
    const result = await doctor();
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/WRONG +data directory: .* does not exist/);
  });

  test("nothing wrong, beside a running server", async () => {
    const server = await serve(place.dataDirectory);
    const result = await doctor("--json");
    await server.stop();
    const findings = result.json() as { subject: string; state: string; sentence: string }[];
    expect(findings.filter((finding) => finding.state !== "good")).toEqual([]);
    expect(findings.find((finding) => finding.subject === "server")!.sentence).toContain(`${server.url} is ready`);
    expect(result.code).toBe(0);
  });

  test("speech and scans: what was added is tried, damage and a choice that leads nowhere are told", async () => {
    const source = join(place.path, "listener");
    writeWhisper(source, saying(PROMPT, [timeId(0), idOf("Hello"), timeId(2), idOf("<|endoftext|>")]));
    const language = join(
      import.meta.dir,
      "../../node_modules/@tesseract.js-data/ell/4.0.0_best_int/ell.traineddata.gz",
    );
    for (const words of [
      ["add", source],
      ["add", language],
      ["use", "listener"],
    ])
      expect((await lectern(["model", ...words, "--data-dir", place.dataDirectory])).code).toBe(0);
    const whole = await doctor();
    expect(whole.stdout).toContain("ok       model: listener is whole and listens.\n");
    expect(whole.stdout).toContain("ok       model: ell is whole and reads scans.\n");
    expect(whole.code).toBe(0);

    const models = join(place.dataDirectory, "models");
    truncateSync(join(models, "ell/ell.traineddata"), 1000);
    truncateSync(join(models, "listener/tokenizer.json"), 10);
    const damaged = await doctor();
    expect(damaged.stdout).toMatch(/WRONG +model: ell: ell\.traineddata is damaged/);
    expect(damaged.stdout).toMatch(/WRONG +model: listener: .*tokenizer\.json is damaged/);
    expect(damaged.stdout).toContain("lectern model remove listener");
    expect(damaged.code).toBe(1);

    for (const name of ["ell", "listener"]) rmSync(join(models, name), { recursive: true });
    const gone = await doctor();
    expect(gone.stdout).toMatch(/warning +model: The speech model "listener" was chosen and is not there/);
    expect(gone.code).toBe(0);
    rmSync(join(place.dataDirectory, "lectern.toml"));
  });

  test("others may look in; the database is damaged", async () => {
    chmodSync(join(place.dataDirectory, "secret"), 0o644);
    rmSync(join(place.dataDirectory, "lectern.db"));
    writeFileSync(
      join(place.dataDirectory, "lectern.db"),
      "not a database at all, but long enough to be read as one".repeat(100),
      { mode: 0o600 },
    );
    const { code, stdout } = await doctor();
    expect(stdout).toMatch(/WRONG +data directory: other users of this machine may look into .*secret/);
    expect(stdout).toContain(`chmod -R go-rwx ${place.dataDirectory}`);
    expect(stdout).toMatch(/WRONG +documents: .*lectern\.db cannot be read/);
    expect(stdout).toEndWith("2 things are wrong.\n");
    expect(code).toBe(1);
  });
});
