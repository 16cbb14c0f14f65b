/** Files that are packed one by one (bzip2, xz, Zstandard) are what is inside, within the same limits as gzip's. */
import { describe, expect, test } from "bun:test";
import { constants, zstdCompressSync } from "node:zlib";
import { readBlocks } from "../../../src/documents/read-document.ts";
import { failureOf } from "../../harness.ts";
import { blocksOf, bytesOf, tarArchive, tarEntry, textsOf } from "../fixtures.ts";
import { expectCleanEnds } from "../mutants.ts";

/** What the usual programs make of "Some words.", as nothing here packs so. */
const WORDS = {
  bz2: "QlpoOTFBWSZTWf7zBxwAAAETgEABCAAGApiAIAAiAaYhADDViKLtvxdyRThQkP7zBxw=",
  xz: "/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAKU29tZSB3b3Jkcy4AAEhrkJZlRNsaAAEjC8Ib/QkftvN9AQAAAAAEWVo=",
};
/** The same of a tar archive of b.txt, which holds it. */
const ARCHIVES = {
  bz2: "QlpoOTFBWSZTWX73ehcAAH17kMoAAMBAAX+ACAh2Ap7ABAAACCAAdQ1TyaRoNB6m1AaZBJSNBoDIAyGk5JzaUIHVJCQ9uTCOObrECGIYHUuoVCDi1SAa85YtACTzQJrBEJ51MNwvs+3CjhMly+ogr37OL4JIPxdyRThQkH73ehc=",
  xz: "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AHldADELiofEDvKXpPh1PcWp7dmXqZgl2Hs0Cmyzt5PRnKBackqTyzBpVWTMCYvqbX4SFmZbyM0wV6Wr1OY18mMfSH70Ij6dqQy2MgCyHyoKbSuUavPNbTd2SXx//x6kuWM6dLrbDMwlXWjpJO4itvgDQHdJDFJ2eKT8OgAAAAAAkzMDcBUIcX0AAZUBgFAAABbiezKxxGf7AgAAAAAEWVo=",
};
const SHA_256 =
  "/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQAKU29tZSB3b3Jkcy4AAMBBElIFuhT+QCbSywTlpi35tfieWb+1q/JnVsD4yHaMAAE7C5uD5osYm0uaAQAAAAAKWVo=";
const LARGE_DICTIONARY = "/Td6WFoAAATm1rRGAgAhAR4AAACbB1FmAQAKU29tZSB3b3Jkcy4AAEhrkJZlRNsaAAEjC8Ib/QkftvN9AQAAAAAEWVo=";
/** A million zeros, and a hundred million. */
const ZEROS = {
  xz: "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM70I/ANFdAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFLsX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v+0uIEGxCy4g/XACP0E6vJiiUcR89jyThcJ6nI1/sKMuF0ZWYin4qkfIndfcZwAaYTZj92K/VkA/EJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPmTwz82AAAAADKzVZfu0uHjAAHtAcCEPQDV4HauscRn+wIAAAAABFla",
  bz2: "QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1nEYApVAD7RQALAAABAAAggADDMCapppUiDaipEHi7kinChIcCoiS4=",
};

const base64 = (text: string): Uint8Array => Buffer.from(text, "base64");
const archive = tarArchive(tarEntry("b.txt", "Some words."));

/** By the ending: the file, the tar archive, and a bomb. */
const packed: Readonly<Record<string, readonly [file: Uint8Array, archive: Uint8Array, bomb: Uint8Array]>> = {
  bz2: [base64(WORDS.bz2), base64(ARCHIVES.bz2), base64(ZEROS.bz2)],
  xz: [base64(WORDS.xz), base64(ARCHIVES.xz), Buffer.concat(Array.from({ length: 100 }, () => base64(ZEROS.xz)))],
  zst: [zstdCompressSync("Some words."), zstdCompressSync(archive), zstdCompressSync(new Uint8Array(100_000_000))],
};
const types: Readonly<Record<string, string>> = {
  bz2: "application/x-bzip2",
  xz: "application/x-xz",
  zst: "application/zstd",
};

for (const [ending, [file, tar, bomb]] of Object.entries(packed))
  describe(`a file packed as .${ending}`, () => {
    test("is the file inside, known by its content, with what its name says", async () => {
      expect(await textsOf(`a.txt.${ending}`, file)).toEqual(["Some words."]);
      for (const [name, extension] of [
        [`a.txt.${ending}`, ending],
        ["a", ending],
        [`a.t${ending}`, `t${ending}`],
      ] as const) {
        const { loaderId, mimeType, extension: found, blocks } = await readBlocks(file, name, null);
        expect([loaderId, mimeType, found]).toEqual([ending, types[ending] ?? "", extension]);
        expect(blocks[0]?.place?.member).toBeUndefined();
      }
      expect((await blocksOf(`a.md.${ending}`, file))[0]?.place).toEqual({ line: 1 });
    });
    test("may be an archive", async () => {
      const blocks = await blocksOf(`a.tar.${ending}`, tar);
      expect(blocks.map(({ text, place }) => [text, place?.member])).toEqual([["Some words.", "b.txt"]]);
    });
    test("may be of several parts", async () => {
      const joined = Buffer.concat([file, file]);
      expect(await textsOf(`a.txt.${ending}`, joined)).toEqual(["Some words.Some words."]);
    });
    test("that is cut off, or followed by something else, is refused", async () => {
      for (const length of [file.length - 1, file.length - 8, Math.floor(file.length / 2)])
        expect((await failureOf(blocksOf("a", file.subarray(0, length)))).message).toContain(
          "it is cut off or damaged",
        );
      const followed = Buffer.concat([file, bytesOf("something else")]);
      expect((await failureOf(blocksOf("a", followed))).message).toContain("it is cut off or damaged");
    });
    test("that is a bomb is refused while it is unpacked", async () => {
      const failure = await failureOf(blocksOf(`a.${ending}`, bomb));
      expect(failure.message).toContain("it unpacks to more than 150 times its size");
    });
    test("damaged is refused or read", async () => await expectCleanEnds(`a.tar.${ending}`, tar, 400));
  });

test("xz that would take much memory, or has checks that are not known, is refused in a sentence", async () => {
  const dictionary = await failureOf(blocksOf("a.xz", base64(LARGE_DICTIONARY)));
  expect(dictionary.message).toContain("a dictionary of more than 64 MB; pack it again with xz -9 or less");
  const check = await failureOf(blocksOf("a.xz", base64(SHA_256)));
  expect(check.message).toContain("options of xz that are not read here");
});

test("xz may be padded between its parts and behind them", async () => {
  const padded = Buffer.concat([base64(WORDS.xz), Buffer.alloc(8), base64(WORDS.xz), Buffer.alloc(4)]);
  expect(await textsOf("a.txt.xz", padded)).toEqual(["Some words.Some words."]);
});

describe("Zstandard", () => {
  test("with a window that would take much memory is refused in a sentence", async () => {
    const params = { [constants.ZSTD_c_windowLog]: 28 };
    const frame = Buffer.from(zstdCompressSync(bytesOf("Some words."), { params }));
    // A window of 2 GB, where a frame without its size has to say one.
    const wide = Buffer.concat([frame.subarray(0, 4), Buffer.of(0, 21 << 3), frame.subarray(frame.length - 14)]);
    expect((await failureOf(blocksOf("a.zst", wide))).message).toContain("a window of more than 128 MB");
  });
  test("with checksums, and notes of programs before and behind, is read", async () => {
    const note = Buffer.concat([Buffer.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0), bytesOf("abc")]);
    const params = { [constants.ZSTD_c_checksumFlag]: 1 };
    const frame = zstdCompressSync(bytesOf("Some words."), { params });
    expect(await textsOf("a.txt.zst", Buffer.concat([note, frame, note]))).toEqual(["Some words."]);
  });
});
