/** Archives are the documents in them, in order, each with its path; what is damaged or hostile is refused in a clear sentence. */
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import iconv from "iconv-lite";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { blocksOf, bytesOf, tarArchive, tarEntry, wordDocument, wordParagraph } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";

/** Each block with its member's path. */
async function read(name: string, bytes: Uint8Array): Promise<string[]> {
  return (await blocksOf(name, bytes)).map(({ text, place }) => `${place?.member ?? ""}: ${text}`);
}

async function refusal(name: string, bytes: Uint8Array): Promise<string> {
  return (await failureOf(blocksOf(name, bytes))).message;
}

const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
const word = wordDocument(wordParagraph("From Word."));

const files: ReadonlyArray<readonly [string, Uint8Array]> = [
  ["z.txt", bytesOf("First.")],
  ["letters/a.docx", word],
  ["letters/picture.png", picture],
  ["letters/empty.txt", new Uint8Array()],
  ["__MACOSX/letters/._a.docx", bytesOf("Mac OS X attributes")],
  ["letters/._a.docx", bytesOf("Mac OS X attributes")],
  [".DS_Store", bytesOf("Bud1 settings")],
  ["Thumbs.db", bytesOf("thumbnails")],
  ["a.md", bytesOf("# Last")],
];
const expected = ["z.txt: First.", "letters/a.docx: From Word.", "a.md: Last"];

const zip = zipSync({ "letters/": new Uint8Array(), ...Object.fromEntries(files) });
const tar = tarArchive(tarEntry("letters/", "", { type: "5" }), ...files.map(([name, bytes]) => tarEntry(name, bytes)));

describe("an archive", () => {
  const archives: Array<[string, Uint8Array, string[]]> = [
    ["a.zip", zip, ["zip", "application/zip", "zip"]],
    ["a.tar", tar, ["tar", "application/x-tar", "tar"]],
    ["a.tar.gz", gzipSync(tar), ["gz", "application/gzip", "gz"]],
    ["a.tgz", gzipSync(tar), ["gz", "application/gzip", "tgz"]],
    ["a.txt", zip, ["zip", "application/zip", "zip"]],
  ];
  for (const [name, bytes, type] of archives) {
    test(`${name} (${type[0]}) is its documents in order, without pictures, folders and what systems add`, async () => {
      expect(await read(name, bytes)).toEqual(expected);
      const { loaderId, mimeType, extension } = await readBlocks(bytes, name, null);
      expect([loaderId, mimeType, extension]).toEqual(type);
    });
  }
  test("in an archive is read too", async () => {
    expect(
      await read("a.zip", zipSync({ "in.tar": tar, "in.tgz": gzipSync(tarArchive(tarEntry("b.txt", "B."))) })),
    ).toEqual([...expected.map((line) => `in.tar/${line}`), "in.tgz/b.txt: B."]);
  });
  test("of pictures only, or of nothing, holds no text", async () => {
    for (const bytes of [zipSync({ "a.png": picture }), zipSync({}), tarArchive(tarEntry("a.png", picture))])
      expect(await failureOf(blocksOf("a", bytes))).toMatchObject({ code: "NO_TEXT" });
  });
  test("damaged anywhere ends cleanly", async () => {
    const small = { "a.txt": bytesOf("Some words."), "b.json": bytesOf('{"a": 1}') };
    await expectCleanEnds("a.zip", zipSync(small));
    await expectCleanEnds("a.tar", tarArchive(tarEntry("a.txt", "Some words."), tarEntry("b.txt", "More.")));
    await expectCleanEnds("a.tgz", gzipSync(tarArchive(tarEntry("a.txt", "Some words."))));
  });
});

/** Overwrites the number at `offset` of each header of the container that begins with `signature`. */
function patched(
  container: Uint8Array,
  signature: number,
  offset: number,
  value: number,
  bits: 16 | 32 = 16,
): Uint8Array {
  const copy = Buffer.from(container);
  const magic = Buffer.alloc(4);
  magic.writeUInt32LE(signature);
  for (let at = copy.indexOf(magic); at >= 0; at = copy.indexOf(magic, at + 4))
    if (bits === 16) copy.writeUInt16LE(value, at + offset);
    else copy.writeUInt32LE(value, at + offset);
  return copy;
}

const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;

describe("a ZIP archive", () => {
  const one = zipSync({ "in/a.txt": [bytesOf("Some words."), { level: 0 }] });
  const damaged = Buffer.from(one);
  damaged.write("X", damaged.indexOf("words"));
  const refused: Array<[string, Uint8Array, string]> = [
    ["encrypted", patched(one, DIRECTORY, 8, 1), 'in its member "in/a.txt": it is protected with a password'],
    ["damaged", damaged, 'in its member "in/a.txt": a member of its zip container is damaged'],
    [
      "packed in an unknown way",
      patched(one, DIRECTORY, 10, 14),
      'in its member "in/a.txt": it is packed by method 14',
    ],
    ["cut off", zip.subarray(0, zip.length / 2), "its zip container is cut off or damaged"],
    ["a bomb", zipSync({ "a.txt": new Uint8Array(30_000_000) }), "it unpacks to more than 150 times its size"],
  ];
  for (const [what, bytes, sentence] of refused)
    test(`that is ${what} is refused`, async () => {
      expect(await refusal("a.zip", bytes)).toContain(sentence);
    });
  test("of a million members is refused before one is read", async () => {
    const end = one.length - 22;
    const claims = Buffer.from(one);
    claims.writeUInt16LE(60_000, end + 10);
    expect(await refusal("a.zip", claims)).toContain("its zip container has more than 10000 members");
  });
  const written: ReadonlyArray<readonly [string, readonly string[]]> = [
    ["shift_jis", ["資料/報告書.txt"]],
    ["gb18030", ["文档/报告.txt", "使用说明.txt"]],
    ["big5", ["使用說明.txt"]],
    ["euc-kr", ["회의록/안내.txt"]],
    ["cp866", ["Документы/Отчёт.txt"]],
    ["cp852", ["Zażółć gęślą.txt"]],
    ["cp850", ["Größe.txt", "résumé.txt"]],
  ];
  for (const [encoding, names] of written)
    test(`has names that do not say that they are in ${encoding}`, async () => {
      const bytes = names.map((name) => iconv.encode(name, encoding));
      const places = bytes.map(({ length }, index) => String.fromCharCode(0x41 + index).repeat(length));
      const archive = Buffer.from(zipSync(Object.fromEntries(places.map((place) => [place, bytesOf("Text.")]))));
      places.forEach((place, index) => {
        for (let at = archive.indexOf(place); at >= 0; at = archive.indexOf(place)) bytes[index]!.copy(archive, at);
      });
      expect(await read("a.zip", archive)).toEqual(names.map((name) => `${name}: Text.`));
    });
  test("has names in CP437 unless they are UTF-8, or stand beside in Unicode", async () => {
    const named = Buffer.from(zipSync({ "Kxln.txt": bytesOf("Text.") }));
    for (let at = named.indexOf("Kx"); at >= 0; at = named.indexOf("Kx")) named[at + 1] = 0x94;
    expect(await read("a.zip", named)).toEqual(["Köln.txt: Text."]);
    const beside = zipSync({
      "K_ln.txt": [bytesOf("Text."), { extra: { 28789: unicodeName("K_ln.txt", "Köln.txt") } }],
    });
    expect(await read("a.zip", beside)).toEqual(["Köln.txt: Text."]);
    expect(await read("a.zip", zipSync({ "東京.txt": bytesOf("Text.") }))).toEqual(["東京.txt: Text."]);
  });
  test("with a data descriptor, a mark of split archives, or 64-bit sizes is read", async () => {
    const streamed = [14, 18, 22].reduce(
      (bytes, offset) => patched(bytes, LOCAL, offset, 0, 32),
      patched(one, LOCAL, 6, 8),
    );
    expect(await read("a.zip", streamed)).toEqual(["in/a.txt: Some words."]);
    const wide = Buffer.alloc(24);
    [11, 11, 0].forEach((size, index) => wide.writeBigUInt64LE(BigInt(size), index * 8));
    const large = [20, 24, 42].reduce(
      (bytes, offset) => patched(bytes, DIRECTORY, offset, 0xffffffff, 32),
      zipSync({ "in/a.txt": [bytesOf("Some words."), { level: 0, extra: { 1: wide } }] }) as Uint8Array,
    );
    expect(await read("a.zip", large)).toEqual(["in/a.txt: Some words."]);
  });
  test("that contains itself, or another as deep, ends", async () => {
    let nested = zipSync({ "a.txt": bytesOf("Text.") });
    for (let depth = 0; depth < 9; depth += 1) nested = zipSync({ "in.zip": nested });
    expect(await refusal("a.zip", nested)).toContain("its members are nested more than 6 deep");
  });
});

/** Info-ZIP's field of a name in Unicode, with the checksum of the name for which it stands. */
function unicodeName(name: string, unicode: string): Uint8Array {
  const field = Buffer.alloc(5);
  field[0] = 1;
  field.writeUInt32LE(Bun.hash.crc32(name), 1);
  return Buffer.concat([field, Buffer.from(unicode)]);
}

describe("a TAR archive", () => {
  const longName = `${"folder/".repeat(20)}note.txt`;
  const record = (key: string, value: string) => {
    const rest = ` ${key}=${value}\n`;
    return `${Buffer.byteLength(rest) + String(Buffer.byteLength(rest) + 3).length}${rest}`;
  };
  const entries: Array<[string, Uint8Array[], string]> = [
    ["with a prefix", [tarEntry("a.txt", "Text.", { prefix: "in/folder" })], "in/folder/a.txt"],
    [
      "with a long name as GNU writes it",
      [tarEntry("././@LongLink", `${longName}\0`, { type: "L" }), tarEntry("cut", "Text.")],
      longName,
    ],
    [
      "with a long name as POSIX has it",
      [tarEntry("x", record("mtime", "1.5") + record("path", longName), { type: "x" }), tarEntry("cut", "Text.")],
      longName,
    ],
    [
      "with common records first",
      [tarEntry("g", record("comment", "x"), { type: "g" }), tarEntry("a.txt", "Text.")],
      "a.txt",
    ],
    ["of before POSIX", [tarEntry("a.txt", "Text.", { type: "\0", magic: "" })], "a.txt"],
    ["of GNU tar", [tarEntry("a.txt", "Text.", { magic: "ustar  \0", prefix: "14203000000" })], "a.txt"],
  ];
  for (const [what, parts, name] of entries)
    test(`${what} has its names whole`, async () => {
      expect(await read("a.tar", tarArchive(...parts))).toEqual([`${name}: Text.`]);
    });
  test("does without links and devices, and a name said for one entry holds for no other", async () => {
    const parts = ["1", "2", "3", "4", "6"].map((type) => tarEntry(`link${type}`, "", { type }));
    const named = tarEntry("././@LongLink", "named\0", { type: "L" });
    expect(await read("a.tar", tarArchive(named, ...parts, tarEntry("b.txt", "Text.")))).toEqual(["b.txt: Text."]);
  });
  test("without its end is read, cut off or damaged within refused", async () => {
    expect(await read("a.tar", tarEntry("a.txt", "Text."))).toEqual(["a.txt: Text."]);
    const whole = tarArchive(tarEntry("a.txt", "Text."), tarEntry("b.txt", "More text."));
    expect(await refusal("a.tar", whole.subarray(0, 1024 + 515))).toContain('in its member "b.txt": it is cut off');
    const damaged = Buffer.from(whole);
    damaged[1024 + 3] = 1;
    expect(await refusal("a.tar", damaged)).toContain("it is damaged");
  });
});

describe("a GZ file", () => {
  test("of one file is that file, with what it says of itself", async () => {
    const page = "<html><head><title>Lamps</title></head><body><p>Light.</p></body></html>";
    const { blocks } = await readBlocks(gzipSync(page), "page.html.gz", null);
    expect(blocks.every(({ place }) => place?.member === undefined)).toBe(true);
    expect(blocks.at(-1)?.text).toBe("Light.");
    expect(await blocksOf("table.csv.gz", gzipSync("name,age\nAda,36\n"))).toEqual(
      await blocksOf("table.csv", "name,age\nAda,36\n"),
    );
  });
  test("may be of several parts", async () => {
    expect(await read("a.txt.gz", Buffer.concat([gzipSync("One "), gzipSync("two.")]))).toEqual([": One two."]);
  });
  test("of what cannot be read says what that is", async () => {
    expect(await refusal("a.png.gz", gzipSync(picture))).toContain("the picture is damaged or cut off");
    expect(await refusal("a.gz", gzipSync("text").subarray(0, 15))).toContain("it is cut off or damaged");
  });
  test("that is a bomb is refused while it is unpacked, however often it is packed", async () => {
    const bomb = gzipSync(new Uint8Array(100_000_000));
    for (const bytes of [bomb, gzipSync(bomb)])
      expect(await refusal("a.gz", bytes)).toContain("it unpacks to more than 150 times its size");
  });
});
