/** 7z and RAR archives are the documents in them; what is damaged, encrypted, hostile or split is refused in a clear sentence. */
import { describe, expect, test } from "bun:test";
import { zipSync } from "fflate";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { blocksOf, bytesOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";

/** Each block with its member's path. */
async function read(name: string, bytes: Uint8Array): Promise<string[]> {
  return (await blocksOf(name, bytes)).map(({ text, place }) => `${place?.member ?? ""}: ${text}`);
}

async function refusal(name: string, bytes: Uint8Array, limits = {}): Promise<string> {
  return (await failureOf(blocksOf(name, bytes, limits))).message;
}

const base64 = (text: string): Uint8Array => Buffer.from(text, "base64");

/** What 7-Zip makes, as nothing here packs so: of three files and a folder, of one with a password, and of a million zeros. */
const sevenZip = {
  whole: base64(
    "N3q8ryccAAR6mso8pgAAAAAAAAAiAAAAAAAAANDu6DQBABNzZXR0aW5ncyMgTGFzdEZpcnN0LgAAAIEzB64Pz4CuDA/r6py/Nj3+cG8h8gldGdG/pU6iuNJ4+A8/nklzO4gnCeCicmHATgInsfs8KVexqod1eANA9CP2weIhrVWx/4dOGjgrgzq9hQMn08yTv9BOGUt7tivAbkoMNiV4GfrkGi5t4NEf01hKQXY/u96bIn2iiB2kNpTgvSglf+dMSjUEAAAAFwYYAQmAjgAHCwEAASMDAQEFXQAQAAAMgM4KAX9RGaoAAA==",
  ),
  encrypted: base64(
    "N3q8ryccAATcyHCHEAAAAAAAAABiAAAAAAAAAK4nMzLaEw23MCTGVj9pYLv8un5WAQQGAAEJEAAHCwEAAiQG8QcBElMPhHnhGJErVrDDiHyv9lMzNCEhAQABAAwKBgAICgHNUuX8AAAFARkBABENAHoALgB0AHgAdAAAABQKAQBYcsD+WnvdARUGAQAggKSBAAA=",
  ),
  encryptedNames: base64(
    "N3q8ryccAAQukccwgAAAAAAAAAAuAAAAAAAAAP0oDCXYY0E0euVkuDtIzr1W9Akm/Yv445bpOGE+5bxOsCAzn0NOxxi1czTyrTx1pF6w2L0zSbJ/brFxLlb556u9nxZbYWlPFpMJMMRoeHboypMqhfXVCjLDM4YCvEDPwzwAFkFUgy6OC/P9Gqy5QCBkhNQtAN6apPlwp0vOxr351WQ4FxcGEAEJcAAHCwEAASQG8QcBElMP7/LcjU9fCNXiS45OZxPxBAxiCgFF0bLyAAA=",
  ),
  zeros: base64(
    "N3q8ryccAASfXh6n2QAAAAAAAABaAAAAAAAAAINr5lrvQj8A0V0AAG/9//+jt/9HPkgVcjlhUbiSKOajhgf57uQegtMvxTo8AUuxfsmKik0vow3Zf6bjjCMRU+BZGMV1iuJ3+LaUfwxqwN50SWTi6VxTsgTY90QMq18NbUbp5cN2iLeWV6y2TeFpHW/7S4gQbELLiD9cAI/QTq8mKJRxHz2PJOFwnqcjX+woy4XRlZiKfiqR8id19xnABphNmP3Yr9WQD8QlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+ZPDPzYAAQQGAAEJgNkABwsBAAEhIQEQDM9AQgAICgGey3kSAAAFARkJAAAAAAAAAAAAERMAegBlAHIAbwAuAHQAeAB0AAAAGQAUCgEAmEPN/lp73QEVBgEAIICkgQAA",
  ),
};

/** A RAR archive of version 5 whose files are stored as they are. `flags`: of the archive; 1 is one part of several. */
function rar(files: Readonly<Record<string, string>>, flags = 0): Uint8Array {
  const block = (type: number, fields: Uint8Array, data?: Uint8Array): Buffer => {
    const sizes = data === undefined ? number(0) : Buffer.concat([number(2), number(data.length)]);
    const header = Buffer.concat([number(type), sizes, fields]);
    const sized = Buffer.concat([number(header.length), header]);
    return Buffer.concat([u32(Bun.hash.crc32(sized)), sized, data ?? Buffer.alloc(0)]);
  };
  const stored = Object.entries(files).map(([name, text]) => {
    const [path, bytes] = [bytesOf(name), bytesOf(text)];
    // A checksum stands with it; attributes of a plain file; neither packed nor of a time.
    const described = [number(4), number(bytes.length), number(0o100644), u32(Bun.hash.crc32(bytes)), number(0)];
    return block(2, Buffer.concat([...described, number(1), number(path.length), path]), bytes);
  });
  const signature = Buffer.from("Rar!\x1a\x07\x01\x00", "latin1");
  return Buffer.concat([signature, block(1, number(flags)), ...stored, block(5, number(0))]);
}

/** Seven bits a byte, the lowest first. */
function number(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    bytes.push(rest >= 0x80 ? (rest & 0x7f) | 0x80 : rest);
    if (rest < 0x80) return Buffer.from(bytes);
  }
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

const files = { "z.txt": "First.", "letters/Größe.md": "# Last", "Thumbs.db": "settings" };

describe.each([
  ["7z", "application/x-7z-compressed", sevenZip.whole],
  ["rar", "application/vnd.rar", rar(files)],
] as const)("a %s archive", (id, type, whole) => {
  test("is its documents, without folders and what systems add, known by its content", async () => {
    expect((await read(`a.${id}`, whole)).toSorted()).toEqual(["letters/Größe.md: Last", "z.txt: First."]);
    const { loaderId, mimeType, extension } = await readBlocks(whole, "a", null);
    expect([loaderId, mimeType, extension]).toEqual([id, type, id]);
  });
  test("in an archive is read too", async () => {
    const lines = await read("a.zip", zipSync({ [`in.${id}`]: whole }));
    expect(lines.toSorted()).toEqual([`in.${id}/letters/Größe.md: Last`, `in.${id}/z.txt: First.`]);
  });
  test("that is cut off is refused", async () => {
    expect(await refusal("a", whole.subarray(0, whole.length - 40))).toContain("it is cut off or damaged");
  });
  test("of more members, or of more bytes, than may be is refused while it is unpacked", async () => {
    expect(await refusal("a", whole, { maxMembers: 1 })).toContain("it holds more than 1 members");
    expect(await refusal("a", whole, { maxInflatedBytes: 10 })).toContain("it unpacks to more than 10 bytes");
  });
  test("damaged anywhere ends cleanly", async () => await expectCleanEnds(`a.${id}`, whole, 100));
});

test("a 7z archive with a password is refused, also where its names are encrypted", async () => {
  for (const bytes of [sevenZip.encrypted, sevenZip.encryptedNames])
    expect(await refusal("a.7z", bytes)).toContain("it is protected with a password");
});

test("a 7z archive that is a bomb is refused while it is unpacked", async () => {
  expect(await refusal("a.7z", sevenZip.zeros, { ratioAppliesFrom: 100_000 })).toContain(
    "it unpacks to more than 150 times its size",
  );
});

test("a 7z archive names the member that is damaged", async () => {
  const damaged = Buffer.from(sevenZip.whole);
  damaged[40]! ^= 0xff;
  expect(await refusal("a.7z", damaged)).toContain('in its member "Thumbs.db": it is cut off or damaged');
});

test("a RAR archive names the member that is cut off, and leads out of no folder", async () => {
  const two = rar({ "a.txt": "Some words.", "b.txt": "More words." });
  expect(await refusal("a.rar", two.subarray(0, two.length - 12))).toContain('in its member "b.txt": it is cut off');
  expect(await read("a.rar", rar({ "../../etc/a.txt": "Words.", "/b.txt": "More." }))).toEqual([
    "etc/a.txt: Words.",
    "b.txt: More.",
  ]);
});

describe("one part of a split archive", () => {
  const zip = Buffer.from(zipSync({ "a.txt": bytesOf("Some words.") }));
  const marked = Buffer.concat([Buffer.from("PK\x07\x08", "latin1"), zip]);
  const lastDisk = Buffer.from(zip);
  lastDisk.writeUInt16LE(2, lastDisk.length - 22 + 4);
  const oldVolume = Buffer.concat([
    Buffer.from("Rar!\x1a\x07\x00\x00\x00\x73\x01\x00\x0d\x00", "latin1"),
    Buffer.alloc(20),
  ]);
  const noise = new Uint8Array(3000).map((_, index) => (index * index * 31) & 0xff);
  const parts: ReadonlyArray<readonly [what: string, name: string, bytes: Uint8Array]> = [
    ["the first of RAR", "a.part1.rar", rar(files, 1)],
    ["a later one of RAR", "a.part2.rar", rar(files, 3)],
    ["one of RAR before version 5", "a.rar", oldVolume],
    ["the first of ZIP", "a", marked.subarray(0, marked.length - 22)],
    ["the last of ZIP", "a.zip", lastDisk],
    ["the first of 7z", "a.7z.001", sevenZip.whole],
    ...["a.7z.002", "a.z01", "a.r00", "a.zip.003", "A.TAR.GZ.004"].map((name) => ["any", name, noise] as const),
  ];
  test.each(parts)("%s is said to be one: %s", async (_, name, bytes) => {
    const failure = await failureOf(blocksOf(name, bytes));
    expect(failure).toMatchObject({ code: "UNSUPPORTED_FILE_TYPE" });
    expect(failure.message).toContain("is one part of a split archive (put its parts together, or unpack them");
  });
  test("is left out of an archive, and what only looks like one is read", async () => {
    const inside = zipSync({ "a.7z.001": sevenZip.whole, "a.7z.002": noise, "b.txt": bytesOf("Text.") });
    expect(await read("a.zip", inside)).toEqual(["b.txt: Text."]);
    expect(await read("minutes.z01", bytesOf("Some words."))).toEqual([": Some words."]);
  });
});
