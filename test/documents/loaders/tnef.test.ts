/** "winmail.dat", Outlook's messages as Exchange sends them to others, is read as any mail, alone and in the mail that it came with. */
import { describe, expect, test } from "bun:test";
import iconv from "iconv-lite";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { blocksOf, bytesOf, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";
import { namedProperty, type OutlookObject } from "../outlook.ts";
import { winmail } from "../winmail.ts";

const simple: OutlookObject = {
  properties: {
    "0037": "The engine",
    "0C1A": "Ada",
    "5D01": "ada@example.org",
    "0039": new Date("2026-05-12T08:00:00Z"),
    "1000": "It works.\r\n\r\nAda",
  },
  recipients: [
    { "3001": "Charles", "39FE": "charles@example.org", "0C15": 1 },
    { "3001": "Mary", "3003": "/O=EXCHANGE/CN=MARY", "0C15": 2 },
  ],
};
const note = { properties: { "3707": "note.txt", "3701": bytesOf("A note.") } };
const rtf = bytesOf("{\\rtf1 In {\\b RTF}.}");
/** Not packed, but in the form of what is. */
const storedRtf = Buffer.concat([u32(rtf.length + 12), u32(rtf.length), u32(0x414c454d), u32(0), rtf]);

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

describe("winmail.dat", () => {
  test("begins with its subject, who wrote it to whom, and when", async () => {
    const file = winmail(simple);
    expect(await textsOf("winmail.dat", file)).toEqual([
      "h1 The engine",
      "From: Ada <ada@example.org>\nTo: Charles <charles@example.org>\nCc: Mary\nDate: 12 May 2026 08:00 UTC",
      "It works.",
      "Ada",
    ]);
    for (const name of ["winmail.dat", "message"]) {
      const { loaderId, mimeType, extension, properties } = await readBlocks(file, name, null);
      expect([loaderId, mimeType, extension]).toEqual(["tnef", "application/vnd.ms-tnef", "dat"]);
      expect(properties).toEqual({
        title: "The engine",
        author: "Ada <ada@example.org>",
        date: "2026-05-12T08:00:00Z",
      });
    }
  });
  test("may say all of it in the attributes of old programs, in a code page", async () => {
    const text = (value: string) => Buffer.concat([iconv.encode(value, "cp1251"), Buffer.alloc(1)]);
    const [name, address] = [text("Ада"), text("SMTP:ada@example.org")];
    const lengths = Buffer.alloc(8);
    lengths.writeUInt16LE(name.length, 4);
    lengths.writeUInt16LE(address.length, 6);
    const file = winmail(
      { properties: {}, attachments: [{ properties: {} }] },
      {
        old: [
          [0x00069007, u32(1251)],
          [0x00018004, text("Привет")],
          [0x00008000, Buffer.concat([lengths, name, address])],
          [0x00038005, Buffer.from(Uint16Array.from([2026, 5, 12, 8, 0, 0, 2]).buffer)],
          [0x0002800c, text("Тело")],
        ],
        oldOfAttachments: [
          [0x00018010, text("записка.txt")],
          [0x0006800f, bytesOf("A note.")],
        ],
      },
    );
    expect(await textsOf("winmail.dat", file)).toEqual([
      "h1 Привет",
      "From: Ада <ada@example.org>\nDate: 12 May 2026 08:00 UTC",
      "Тело",
      "Attachments: записка.txt",
      "A note.",
    ]);
  });
  test("may be filled up at its end, and have the wrong types of values", async () => {
    const text = Buffer.from("Some words.\0");
    const file = winmail({ properties: {} }, { old: [[0x0000800c, text]] });
    expect(await textsOf("a.dat", Buffer.concat([file, Buffer.alloc(3)]))).toEqual(["Some words."]);
  });
  test("has its body in HTML or in RTF", async () => {
    const html = winmail({ properties: { "0037": "One", "1013": bytesOf("<p>In <b>HTML</b>.</p>") } });
    expect(await textsOf("a.dat", html)).toEqual(["h1 One", "In HTML."]);
    const blocks = await blocksOf("a.dat", winmail({ properties: { "0037": "One", "1009": storedRtf } }));
    expect(blocks.map(({ text, place }) => [text, place?.member])).toEqual([
      ["One", undefined],
      ["In RTF.", "body.rtf"],
    ]);
  });
  test("has its attachments as members, messages too", async () => {
    const inner = { properties: { "0037": "Inner", "1000": "Within." }, attachments: [note] };
    const file = winmail({
      properties: { "0037": "Outer" },
      attachments: [note, { properties: { "3001": "Re: lamps" }, message: inner }],
    });
    const blocks = await blocksOf("winmail.dat", file);
    expect(blocks.map(({ text, place }) => [text, place?.member])).toEqual([
      ["Outer", undefined],
      ["Attachments: note.txt, Re: lamps", undefined],
      ["A note.", "note.txt"],
      ["Inner", "Re: lamps"],
      ["Within.", "Re: lamps"],
      ["Attachments: note.txt", "Re: lamps"],
      ["A note.", "Re: lamps/note.txt"],
    ]);
  });
  test("of an appointment says when and where", async () => {
    const properties = {
      "0037": "Meeting",
      [namedProperty(0)]: new Date("2026-05-12T08:00:00Z"),
      [namedProperty(1)]: "Room 9",
    };
    expect(await textsOf("a.dat", winmail({ properties }, { names: [0x820d, 0x8208] }))).toEqual([
      "h1 Meeting",
      "Start: 12 May 2026 08:00 UTC\nWhere: Room 9",
    ]);
  });
  test("that is cut off, or messages in one another without end, is refused", async () => {
    const whole = winmail({ ...simple, attachments: [note] });
    const failure = await failureOf(blocksOf("a.dat", whole.subarray(0, whole.length - 30)));
    expect(failure.message).toContain("it is cut off or damaged");
    let nested: OutlookObject = simple;
    for (let depth = 0; depth < 9; depth += 1)
      nested = { properties: { "0037": "x" }, attachments: [{ properties: { "3001": "in" }, message: nested }] };
    expect((await failureOf(blocksOf("a.dat", winmail(nested)))).message).toContain("nested more than 6 deep");
  });
  test("that claims to have more than there is ends soon", async () => {
    const claim = Buffer.concat([u32(0xffffffff), Buffer.alloc(1_000_000)]);
    const withOld = (attribute: number) => winmail({ properties: { "0037": "One" } }, { old: [[attribute, claim]] });
    expect(await textsOf("a.dat", withOld(0x00069004))).toEqual(["h1 One"]);
    expect((await failureOf(blocksOf("a.dat", withOld(0x00069003)))).message).toContain("it is cut off or damaged");
    const many = winmail({ properties: {}, attachments: Array.from({ length: 11 }, () => note) });
    const failure = await failureOf(blocksOf("a.dat", many, { maxMembers: 10 }));
    expect(failure.message).toContain("it holds more than 10 attachments");
  });
  test("damaged is refused or read", async () => {
    await expectCleanEnds("winmail.dat", winmail({ ...simple, attachments: [note] }), 400);
  });
});

describe("a mail with winmail.dat", () => {
  const mail = (packed: Uint8Array, body = "The body."): string =>
    [
      "From: Ada <ada@example.org>",
      "To: Charles <charles@example.org>",
      "Subject: Outer",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      body,
      "--b",
      'Content-Type: application/ms-tnef; name="winmail.dat"',
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from(packed).toString("base64"),
      "--b--",
      "",
    ].join("\r\n");
  const packed = winmail({ ...simple, attachments: [note] });
  const head = "From: Ada <ada@example.org>\nTo: Charles <charles@example.org>";

  test("has the attachments in it as its own, and its body once", async () => {
    const blocks = await blocksOf("a.eml", mail(packed));
    expect(blocks.map(({ text, place }) => [text, place?.member])).toEqual([
      ["Outer", undefined],
      [head, undefined],
      ["The body.", undefined],
      ["Attachments: note.txt", undefined],
      ["A note.", "note.txt"],
    ]);
  });
  test("without a body of its own has the one in it, in RTF too", async () => {
    expect(await textsOf("a.eml", mail(packed, ""))).toEqual([
      "h1 Outer",
      head,
      "It works.",
      "Ada",
      "Attachments: note.txt",
      "A note.",
    ]);
    const inRtf = winmail({ properties: { "1009": storedRtf } });
    expect(await textsOf("a.eml", mail(inRtf, ""))).toEqual(["h1 Outer", head, "In RTF."]);
    expect(await textsOf("a.eml", mail(inRtf))).toEqual(["h1 Outer", head, "The body."]);
  });
  test("that is damaged is read without it", async () => {
    expect(await textsOf("a.eml", mail(packed.subarray(0, 200)))).toEqual([
      "h1 Outer",
      head,
      "The body.",
      "Attachments: winmail.dat",
    ]);
  });
});
