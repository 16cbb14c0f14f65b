/** Documents inside documents: read like any other, named where they are at fault, and bounded together. */
import { describe, expect, test } from "bun:test";
import { zipSync } from "fflate";
import { BlockCollector } from "../../src/documents/block-collector.ts";
import { Content } from "../../src/documents/content.ts";
import { defaultReadingLimits } from "../../src/documents/limits.ts";
import type { ReadingLimits } from "../../src/documents/limits.ts";
import { memberReader } from "../../src/documents/members.ts";
import type { MemberOptions, ReadMember } from "../../src/documents/members.ts";
import { readBlocks } from "../../src/documents/read-document.ts";
import { LecternError } from "../../src/foundation/errors.ts";
import { failureOf } from "../harness.ts";
import { blocksOf, bytesOf } from "./fixtures.ts";

/** A container "box" whose members are read by `read`, each as one paragraph unless said otherwise. */
async function container(
  limits: Partial<ReadingLimits> = {},
  read = async (member: Content, blocks: BlockCollector) => blocks.add("paragraph", member.decoded?.text ?? ""),
): Promise<{ blocks: BlockCollector; readMember: ReadMember; content: Content }> {
  const content = await Content.of(bytesOf("box"), "box", null, { ...defaultReadingLimits, ...limits });
  const blocks = new BlockCollector(content);
  return {
    blocks,
    content,
    readMember: memberReader(content, blocks, (member) => read(member, blocks) as Promise<void>),
  };
}

describe("a member", () => {
  const names: Array<[string, string]> = [
    ["letters/one.txt", "letters/one.txt"],
    ["../../etc/passwd", "etc/passwd"],
    ["/etc/./passwd", "etc/passwd"],
    ["C:\\Users\\Ada\\note.txt", "Users/Ada/note.txt"],
    ["a\u0000b\u202Etxt.exe", "abtxt.exe"],
    ["Cafe\u0301.txt", "Café.txt"],
    ["", "unnamed"],
    ["..", "unnamed"],
    [`${"x".repeat(5000)}.txt`, `${"x".repeat(996)}.txt`],
  ];
  for (const [name, shown] of names) {
    test(`called ${JSON.stringify(name.slice(0, 40))} is shown as ${shown.slice(0, 40)}`, async () => {
      const { blocks, readMember } = await container();
      expect(await readMember({ name, bytes: bytesOf("Text.") })).toBe(true);
      expect(blocks.blocks).toEqual([{ kind: "paragraph", text: "Text.", place: { member: shown } }]);
    });
  }
  test("says nothing of the whole document, and begins without the place and the context of what came before", async () => {
    const { blocks, readMember } = await container({}, async (_member, inner) => {
      inner.describe({ title: "Of the member" });
      inner.at({ page: 7 });
      inner.under("inner | names");
      inner.add("paragraph", "inside");
    });
    blocks.at({ page: 1 });
    blocks.under("outer | names");
    blocks.add("row", "before");
    await readMember({ name: "m", bytes: bytesOf("x") });
    blocks.add("row", "after");
    expect(blocks.properties).toEqual({});
    expect(blocks.blocks.map(({ place, context }) => [place, context])).toEqual([
      [{ page: 1 }, "outer | names"],
      [{ page: 7, member: "m" }, "inner | names"],
      [{ page: 1 }, "outer | names"],
    ]);
  });
  test("that begins again forgets its own text only", async () => {
    const { blocks, readMember } = await container({}, async (member, inner) => {
      inner.add("paragraph", "a first try");
      inner.clear();
      inner.add("paragraph", member.name);
    });
    for (const name of ["one", "two"]) await readMember({ name, bytes: bytesOf("x") });
    expect(blocks.blocks.map(({ text }) => text)).toEqual(["one", "two"]);
  });
  test("that is the whole document stands for it", async () => {
    const { blocks, readMember } = await container({}, async (_member, inner) => {
      inner.describe({ title: "Of the file" });
      inner.add("paragraph", "inside");
    });
    await readMember({ name: "m", bytes: bytesOf("x") }, { isWhole: true });
    expect(blocks.properties).toEqual({ title: "Of the file" });
    expect(blocks.blocks).toEqual([{ kind: "paragraph", text: "inside" }]);
  });
});

describe("a member that cannot be read", () => {
  const outcomes: Array<[string, (member: Content) => LecternError, MemberOptions, boolean]> = [
    ["is left out when it is empty", (member) => member.refused("EMPTY_FILE"), {}, false],
    ["is left out when it is of no known type", (member) => member.refused("UNSUPPORTED_FILE_TYPE"), {}, false],
    ["is left out when it holds no text", (member) => member.refused("NO_TEXT"), {}, false],
    ["is a fault when it is damaged", (member) => member.unreadable("it is damaged"), {}, true],
    [
      "is left out when it is damaged and optional",
      (member) => member.unreadable("it is damaged"),
      { optional: true },
      false,
    ],
    [
      "is a fault when limits are reached, optional or not",
      (member) => member.overLimit("it is too much"),
      { optional: true },
      true,
    ],
    ["is the file's fault when it is the whole of it", (member) => member.refused("NO_TEXT"), { isWhole: true }, true],
  ];
  for (const [what, error, options, isFault] of outcomes) {
    test(what, async () => {
      const { blocks, readMember } = await container({}, async (member, inner) => {
        inner.add("paragraph", "what came before the fault");
        throw error(member);
      });
      blocks.add("paragraph", "kept");
      const read = readMember({ name: "m", bytes: bytesOf("x") }, options);
      if (isFault) expect(await failureOf(read)).toBeInstanceOf(LecternError);
      else {
        expect(await read).toBe(false);
        expect(blocks.blocks.map(({ text }) => text)).toEqual(["kept"]);
      }
    });
  }
  test("is named with its whole path", async () => {
    const inner = zipSync({ "deep/bad.json": bytesOf('{"a": ') });
    const error = await failureOf(blocksOf("a.zip", zipSync({ "ok.txt": bytesOf("Text."), "in.zip": inner })));
    expect(error.message).toStartWith('The file "a.zip" cannot be read: in its member "in.zip/deep/bad.json": ');
    expect(error).toMatchObject({
      code: "UNREADABLE_FILE",
      details: { file: "a.zip", member: "in.zip/deep/bad.json" },
    });
  });
});

describe("members together", () => {
  const limits: Array<[string, Partial<ReadingLimits>, string]> = [
    ["are counted", { maxMembers: 2 }, "it holds more than 2 members"],
    ["have their bytes added up", { maxInflatedBytes: 11 }, "it unpacks to more than 11 bytes"],
    ["are not read where they would be too deep", { maxMemberDepth: 0 }, "its members are nested more than 0 deep"],
  ];
  for (const [what, limit, sentence] of limits) {
    test(what, async () => {
      const { readMember } = await container(limit);
      const all = async () => {
        for (const name of ["a", "b", "c"]) await readMember({ name, bytes: bytesOf("1234") }, { optional: true });
      };
      expect((await failureOf(all())).message).toContain(sentence);
    });
  }
  test("share the limits however deep they lie", async () => {
    const three = zipSync({ a: bytesOf("one"), b: bytesOf("two"), c: bytesOf("three") });
    const six = zipSync({ "1.zip": three, "2.zip": three });
    expect(await blocksOf("a.zip", six, { maxMembers: 8 })).toHaveLength(6);
    expect((await failureOf(blocksOf("a.zip", six, { maxMembers: 7 }))).message).toBe(
      'The file "a.zip" cannot be read: in its member "2.zip": it holds more than 7 members',
    );
  });
  test("nested too deep are refused, naming where", async () => {
    let nested: Uint8Array = bytesOf("Text.");
    for (let depth = 0; depth < 10; depth += 1) nested = zipSync({ [depth === 0 ? "a.txt" : "in.zip"]: nested });
    expect((await failureOf(blocksOf("a.zip", nested))).message).toBe(
      `The file "a.zip" cannot be read: in its member "${Array(6).fill("in.zip").join("/")}": its members are nested more than 6 deep`,
    );
  });
  test("that are very many are read in time proportional to their number", async () => {
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`${index}.txt`, bytesOf(`n${index}`)]));
    const { blocks } = await readBlocks(zipSync(many, { level: 0 }), "a.zip", null);
    expect(blocks).toHaveLength(9000);
  });
});
