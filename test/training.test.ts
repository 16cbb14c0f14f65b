/** What training of the built-in model relies on beside its data: the server's own numbers, that a lost worker is told, and how the lexicon is counted. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { align, type WordPair } from "../models/train/lexicon/alignment.ts";
import { lexiconOf } from "../models/train/lexicon/file.ts";
import { tokensOf } from "../models/train/lexicon/words.ts";
import { hashOf, Lexicon } from "../src/embedding/lexicon.ts";
import { program, testWith } from "./requirements.ts";

const folder = join(import.meta.dir, "../models/train");
const python3 = program("python3");

/** Runs a script as one of the training's own. */
function python(script: string): { exitCode: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["python3", "-B", "-c", script], { cwd: folder, timeout: 30_000 });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

describe("numbers of the server", () => {
  const wanted = [...new Bun.Glob("**/*.py").scanSync(folder)].flatMap((path) =>
    [...readFileSync(join(folder, path), "utf8").matchAll(/server_number\(("[^"]+"), ("[^"]+")\)/g)].map(
      ([, file, name]) => [file!, name!] as const,
    ),
  );

  testWith(python3)("that training asks for are in its source", () => {
    expect(wanted.length).toBeGreaterThan(10);
    const asked = wanted.map(([file, name]) => `server_number(${file}, ${name})`).join(", ");
    const { stdout, stderr } = python(
      `import json\nfrom ranking.server_numbers import server_number\nprint(json.dumps([${asked}]))`,
    );
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(wanted.map(() => expect.any(Number)));
  });

  testWith(python3)("that are not there are missed", () => {
    const { exitCode, stderr } = python(
      'from ranking.server_numbers import server_number\nserver_number("src/ranking/inputs.ts", "NO_SUCH")',
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain("src/ranking/inputs.ts has no line `const NO_SUCH = …;`");
  });
});

describe("workers", () => {
  /** Two of them, of which the first runs this; prints how often the loop came round, and what is left of them. */
  const twoWorkers = (first: string): string => `
import multiprocessing, os, signal, time
from together import working
context = multiprocessing.get_context("fork")
def one(): ${first}
workers = [context.Process(target=one), context.Process(target=time.sleep, args=(OTHER,))]
try:
    print("looks", sum(1 for _ in working(workers, 0.05)))
finally:
    print("left", [worker.is_alive() for worker in workers])
`;

  for (const [how, first, sentence] of [
    ["is killed", "os.kill(os.getpid(), signal.SIGKILL)", "worker 0 died with exit code -9"],
    ["fails", "raise ValueError('no more')", "worker 0 died with exit code 1"],
  ] as const) {
    testWith(python3)(`one that ${how} ends the others, and the training`, () => {
      const { exitCode, stdout, stderr } = python(twoWorkers(first).replace("OTHER", "60"));
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`ChildProcessError: ${sentence}`);
      expect(stdout).toBe("left [False, False]\n");
    });
  }

  testWith(python3)("that do their work are waited for", () => {
    const { exitCode, stdout } = python(twoWorkers("pass").replace("OTHER", "0.5"));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^looks [1-9]\d*\nleft \[False, False\]\n$/);
  });
});

describe("the lexicon", () => {
  const pair = (foreign: string, english: string, isEntry = false): WordPair => ({
    foreign: foreign.split(" "),
    english: english.split(" "),
    isEntry,
  });
  const texts = [
    pair("das haus brennt", "the house burns"),
    pair("das haus steht", "the house stands"),
    pair("das feuer brennt", "the fire burns"),
    pair("das feuer geht aus", "the fire goes out"),
    pair("das boot steht", "the boat stands"),
    pair("kater", "tomcat", true),
  ];

  test("says which words stand for which, out of texts that say the same", () => {
    const found = align(texts, 2, () => true);
    for (const [word, english] of Object.entries({ haus: "house", feuer: "fire", brennt: "burns", steht: "stands" }))
      expect(found.get(word)![0]!.english).toBe(english);
    expect(found.get("haus")![0]!.share).toBeGreaterThan(0.5);
  });

  test("knows what one text alone has only from a dictionary", () => {
    const found = align(texts, 2, () => true);
    expect(found.get("boot")).toBeUndefined();
    expect(found.get("kater")).toEqual([{ english: "tomcat", share: expect.closeTo(0.8, 1) }]);
  });

  test("leaves out English words that are not wanted", () =>
    expect(align(texts, 2, (english) => english !== "tomcat").get("kater")).toBeUndefined());

  test("is written as it is read, with each English word's tokens", () => {
    const bytes = lexiconOf(
      new Map([
        [
          "haus",
          [
            { english: "house", share: 0.8 },
            { english: "home", share: 0.2 },
          ],
        ],
        ["บ้าน", [{ english: "house", share: 1 }]],
      ]),
      new Map(["home", "house"].map((word) => [word, tokensOf(word)!])),
    );
    const lexicon = Lexicon.parse(bytes, "the lexicon");
    expect(lexicon.translations("haus")!.map(({ word, share }) => [lexicon.textOf(word), share])).toEqual([
      ["house", 0.8],
      ["home", 0.2],
    ]);
    expect([...lexicon.tokensOf(lexicon.translations("บ้าน")![0]!.word)]).toEqual(tokensOf("house")!);
    expect(lexicon.mayBegin(hashOf("บ้"))).toBe(true);
  });
});
