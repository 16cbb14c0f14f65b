/** Outlook's messages read like any mail; what is kept in the same container reads alike. */
import { describe, expect, test } from "bun:test";
import iconv from "iconv-lite";
import { CompoundReader } from "../../../src/documents/loaders/office/compound-reader.ts";
import { unpackedRtf } from "../../../src/documents/loaders/mail/compressed-rtf.ts";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { expectCleanEnds } from "../mutants.ts";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";
import { namedProperty, outlookMessage } from "../outlook.ts";
import type { OutlookObject } from "../outlook.ts";

const sent = new Date("2026-05-12T08:00:00Z");
const simple: OutlookObject = {
  properties: {
    "0037": "The engine",
    "0C1A": "Ada",
    "5D01": "ada@example.org",
    "0039": sent,
    "1000": "It works.\r\n\r\nAda",
  },
  recipients: [
    { "3001": "Charles", "39FE": "charles@example.org", "0C15": 1 },
    { "3001": "Mary", "3003": "/O=EXCHANGE/CN=MARY", "0C15": 2 },
  ],
};

describe("an Outlook message", () => {
  test("begins with its subject, who wrote it to whom, and when", async () => {
    const file = outlookMessage(simple);
    expect(await textsOf("a.msg", file)).toEqual([
      "h1 The engine",
      "From: Ada <ada@example.org>\nTo: Charles <charles@example.org>\nCc: Mary\nDate: 12 May 2026 08:00 UTC",
      "It works.",
      "Ada",
    ]);
    const { loaderId, properties } = await readBlocks(file, "a", null);
    expect(loaderId).toBe("msg");
    expect(properties).toEqual({ title: "The engine", author: "Ada <ada@example.org>", date: "2026-05-12T08:00:00Z" });
  });
  for (const [codePage, encoding, text] of [
    [1251, "cp1251", "Привет"],
    [932, "shift_jis", "漢字"],
    [65001, "utf-8", "café"],
  ] as const) {
    test(`in code page ${codePage} is read`, async () => {
      const message = { properties: { "0037": text, "1000": text, "3FFD": codePage } };
      expect(
        await textsOf(
          "a.msg",
          outlookMessage(message, [], (value) => iconv.encode(value, encoding)),
        ),
      ).toEqual([`h1 ${text}`, text]);
    });
  }
  test("whose body is HTML is read, in its own encoding", async () => {
    const html = Buffer.from(
      "<html><head><meta charset=windows-1251></head><p>\xcf\xf0\xe8\xe2\xe5\xf2</p></html>",
      "latin1",
    );
    expect(await textsOf("a.msg", outlookMessage({ properties: { "1013": new Uint8Array(html) } }))).toEqual([
      "Привет",
    ]);
  });
  test("may be an appointment or a contact", async () => {
    const properties = {
      "0037": "Lunch",
      [namedProperty(0)]: sent,
      [namedProperty(1)]: "Canteen",
      "3A16": "Analytical Engines",
    };
    expect(await textsOf("a.msg", outlookMessage({ properties }, [0x820d, 0x8208]))).toEqual([
      "h1 Lunch",
      "Start: 12 May 2026 08:00 UTC\nWhere: Canteen\nCompany: Analytical Engines",
    ]);
  });
});

describe("what is attached to it", () => {
  const attachments: OutlookObject["attachments"] = [
    { properties: { "3707": "a.txt", "3701": bytesOf("first") } },
    {
      properties: { "3001": "The reply" },
      message: { ...simple, attachments: [{ properties: { "3704": "b.txt", "3701": bytesOf("second") } }] },
    },
    { properties: { "3707": "c.bin", "3701": new Uint8Array(5000).fill(1) } },
  ];
  test("is named and read, also where it is a message itself", async () => {
    const blocks = await blocksOf("a.msg", outlookMessage({ properties: { "1000": "See below." }, attachments }));
    expect(blocks.map(({ text, place }) => [place?.member, text.split("\n")[0]])).toEqual([
      [undefined, "See below."],
      [undefined, "Attachments: a.txt, The reply, c.bin"],
      ["a.txt", "first"],
      ["The reply", "The engine"],
      ["The reply", "From: Ada <ada@example.org>"],
      ["The reply", "It works."],
      ["The reply", "Ada"],
      ["The reply", "Attachments: b.txt"],
      ["The reply/b.txt", "second"],
    ]);
  });
  test("may not lie too deep", async () => {
    let message: OutlookObject = simple;
    for (let depth = 0; depth < 8; depth += 1)
      message = { properties: {}, attachments: [{ properties: { "3001": "inner" }, message }] };
    expect((await failureOf(textsOf("a.msg", outlookMessage(message)))).message).toContain("nested more than 6 deep");
  });
});

describe("RTF as Outlook packs it", () => {
  test("is unpacked: the example of its specification", () => {
    const packed = Buffer.from(
      "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c09002062770 5b06c647d0a800fa0".replaceAll(
        " ",
        "",
      ),
      "hex",
    );
    expect(Buffer.from(unpackedRtf(packed)!).toString()).toBe("{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
  });
  test("and anything else is not", () => expect(unpackedRtf(bytesOf("no RTF at all, but long"))).toBeNull());
});

describe("a container made to harm", () => {
  // As long as it must be to lie in sectors of its own, so that most damage is done to the container; its mark says how it is encoded.
  const long = `\uFEFF${"word ".repeat(410)}`;
  const whole = outlookMessage({
    ...simple,
    attachments: [{ properties: { "3707": "a.txt", "3701": Buffer.from(long, "utf16le") } }],
  });
  test("holds what was put into it", () => {
    const [attachment] = new CompoundReader(whole).root.storages.filter(({ name }) => name.startsWith("__attach"));
    const stream = attachment!.streams.get("__substg1.0_37010102")!;
    expect(Buffer.from(new CompoundReader(whole).read(stream)).toString("utf16le")).toBe(long);
  });
  test("whose chains bite their tails is refused or read", async () => {
    const faults: unknown[] = [];
    const table = (new DataView(whole.buffer).getUint32(76, true) + 1) * 512;
    for (let entry = 0; entry < 60; entry += 1) {
      const file = Uint8Array.from(whole);
      new DataView(file.buffer).setUint32(table + entry * 4, entry, true);
      await readBlocks(file, "a.msg", null).catch((error) => error.status === 400 || faults.push(error));
    }
    expect(faults).toEqual([]);
  });
  test("or is damaged is refused or read", async () => await expectCleanEnds("a.msg", whole, 400));
});
