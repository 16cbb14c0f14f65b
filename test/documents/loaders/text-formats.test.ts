/** Texts with boundaries of their own keep them: paragraphs, code, logs and changes. Blocks know their lines. */
import { describe, expect, test } from "bun:test";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { blocksOf, bytesOf, placedOf } from "../fixtures.ts";

describe("plain text and Markdown", () => {
  test("know the lines of their paragraphs", async () => {
    expect(await placedOf("a.txt", "One\ntwo\n\n \nThree\r\n\r\nFour")).toEqual(["1 One\ntwo", "5 Three", "7 Four"]);
  });
  test("know the lines of all their blocks", async () => {
    const text =
      "---\na: 1\n---\n# One\ntext\nmore\n\nTwo\n===\n- a\n- b\n\n| x |\n|---|\n| y |\nafter\n```\ncode\n```";
    expect(await placedOf("a.md", text)).toEqual([
      "2 a: 1",
      "4 h1 One",
      "5 text\nmore",
      "8 h1 Two",
      "10 - a",
      "11 - b",
      "13 | x |",
      "15 | y |",
      "16 after",
      "18 code",
    ]);
  });
});

describe("source code", () => {
  const method = (name: string): string => `  ${name}() {\n${"    doSomething(1);\n".repeat(100)}  }\n`;
  test("has a block for what stands between blank lines at the outermost level", async () => {
    const code = "import a\n\n# About f\n@wrapped\ndef f():\n    x = 1\n\n    return x\n\n\ndef g():\n    pass\n";
    expect(await placedOf("a.py", code)).toEqual([
      "1 import a",
      "3 # About f\n@wrapped\ndef f():\n    x = 1\n\n    return x",
      "11 def g():\n    pass",
    ]);
  });
  test("of a long class is parted at its methods, each of which knows the class", async () => {
    const code = `/** About it. */\nexport class Engine {\n${method("start")}\n${method("stop")}}\n\nconst after = 1;\n`;
    const blocks = await blocksOf("a.ts", code);
    expect(blocks.map(({ text, place, context }) => [text.split("\n")[0], place?.line, context])).toEqual([
      ["/** About it. */", 1, undefined],
      ["  start() {", 3, "export class Engine {"],
      ["  stop() {", 106, "export class Engine {"],
      ["const after = 1;", 210, undefined],
    ]);
    expect(blocks.every(({ kind }) => kind === "code")).toBe(true);
  });
  for (const [name, text, loader] of [
    ["Makefile", "all:\n\ttrue\n", "code"],
    ["run", "#!/bin/sh\ntrue\n", "code"],
    ["a.sql", "select 1;", "code"],
    ["a.txt", "def f():\n  pass\n", "text"],
  ] as const)
    test(`${name} is ${loader}`, async () =>
      expect((await readBlocks(bytesOf(text), name, null)).loaderId).toBe(loader));
});

describe("a log", () => {
  const log = `2026-05-12 10:00:00,123 INFO Starting
2026-05-12 10:00:01,000 ERROR Failed
java.lang.IllegalStateException: no steam
\tat Engine.start(Engine.java:12)

Caused by: something
2026-05-12 10:00:02,000 INFO Ended
`;
  test("has a row for each entry, with what belongs to it", async () => {
    expect(await placedOf("a.log", log)).toEqual([
      "1 2026-05-12 10:00:00,123 INFO Starting",
      "2 2026-05-12 10:00:01,000 ERROR Failed\njava.lang.IllegalStateException: no steam\n\tat Engine.start(Engine.java:12)\n\nCaused by: something",
      "7 2026-05-12 10:00:02,000 INFO Ended",
    ]);
  });
  for (const entry of [
    "[2026-05-12T10:00:00Z] x",
    "May 12 10:00:00 host sshd[1]: x",
    '127.0.0.1 - - [12/May/2026:10:00:00 +0200] "GET / HTTP/1.1" 200 1',
    "12/May/2026 10:00:00 x",
    "10:00:00.123 [main] x",
    "apt 2026-05-12 10:00:00: x",
    "ERROR: x",
    "1778580000 x",
    "I0512 10:00:00.123456 1 x.go:1] x",
  ]) {
    test(`may have entries such as ${JSON.stringify(entry)}`, async () => {
      const { loaderId, blocks } = await readBlocks(bytesOf(`${entry}\n`.repeat(6)), "output", null);
      expect([loaderId, blocks.length]).toEqual(["log", 6]);
    });
  }
  test("without entries is text", async () =>
    expect((await readBlocks(bytesOf("Just words."), "a.log", null)).loaderId).toBe("text"));
});

describe("changes", () => {
  const diff = `From Ada, about the engine

diff --git a/src/a.ts b/src/a.ts
index 1234567..89abcde 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@ class Engine
 same
--- old comment
+new
@@ -9 +9 @@
-x
+y
diff --git a/b.ts b/b.ts
deleted file mode 100644
--- a/b.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;
  test("stand under the names of their files, a block for each stretch", async () => {
    expect(await placedOf("a.patch", diff)).toEqual([
      "1 From Ada, about the engine",
      "5 h2 src/a.ts",
      "7 @@ -1,2 +1,2 @@ class Engine\n same\n--- old comment\n+new",
      "11 @@ -9 +9 @@\n-x\n+y",
      "16 h2 b.ts",
      "18 @@ -1 +0,0 @@\n-gone",
    ]);
  });
});

test("a long method's line is told of its own parts alone, and the class of all of them", async () => {
  const body = (name: string) =>
    Array.from({ length: 8 }, (_, index) => `        ${name}_${index} = "${"x".repeat(90)}"\n`).join("\n");
  const source = `class Account:\n    def deposit(self, amount):\n${body("first").repeat(5)}\n\n    def withdraw(self, amount):\n        return 1\n`;
  const { blocks } = await readBlocks(bytesOf(source), "account.py", null);
  const contextOf = (text: string) => blocks.find((block) => block.text.includes(text))?.context;
  expect(contextOf("first_3")).toBe("class Account: def deposit(self, amount):");
  expect(contextOf("def withdraw")).toBe("class Account:");
});
