/** The quick tokenizer tells just what the library does, or asks it. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { Glob } from "bun";
import { join } from "node:path";
import { QuickTokenizer } from "../../src/embedding/quick-tokenizer.ts";
import { toUtf16Offsets } from "../../src/embedding/tokenizer.ts";
import { loadAddon, setNativeEnvironment } from "../../src/native/index.ts";

const path = join(import.meta.dir, "../../models/default/tokenizer.json");
const json = await Bun.file(path).text();
await setNativeEnvironment();
const library = (loadAddon("tokenizers") as typeof import("tokenizers")).Tokenizer.fromFile(path);
const quick = QuickTokenizer.of(json)!;

/** Whether the quick one dared to answer; it must not be wrong then. */
async function agrees(text: string): Promise<boolean> {
  const encoding = await library.encode(text, null, { addSpecialTokens: false });
  const ids = quick.ids(text);
  if (ids !== null) expect([text, ids]).toEqual([text, encoding.getIds()]);
  const offsets = quick.offsets(text);
  if (offsets !== null) {
    const expected = toUtf16Offsets(text, encoding.getOffsets() as Array<[number, number]>);
    expect([text, offsets]).toEqual([text, expected]);
  }
  return ids !== null && offsets !== null;
}

const answered: Array<[string, string]> = [
  ["nothing", ""],
  ["blanks alone", " \n\u00a0\t\u3000"],
  ["Latin", "Hello, World"],
  ["blanks around and in a row", "  lead \n\n\u00a0 trail  "],
  ["equally good segmentations", "aaaaaaaaaaa bbbbbbb --------- =========== ......... ーーーーー"],
  ["the same behind other text", "Long before that stood -------- aaaaaaaaaaa ......"],
  ["letters that become several", "İSTANBUL ﬁne ½ ² … ™ ㍿"],
  ["a final sigma", "ΟΔΥΣΣΕΥΣ"],
  ["full width", "ｆｕｌｌ　ｗｉｄｔｈ，。"],
  ["blanks that compatibility makes", "a´b ¨ ¯ ‗"],
  ["marks of vowels", "กำ ทำ ນ້ຳ हिन्दी தமிழ் മലയാളം"],
  ["Hangul", "한국어 문장"],
  ["pictures", "😀 first 👩‍👩‍👧 🗺️"],
  ["ideographs beyond the first plane", "𠮷野家 𪚥"],
  ["characters that no token spells", "ꙮꙮ ጷ \u0001\u0002 x"],
  ["very many of them", "ጷ".repeat(60_000)],
  ["what looks like a byte's token", "<0x41> <0xE2>"],
  ["the blank mark itself", "▁a ▁ b▁▁c"],
];
for (const [what, text] of answered)
  test(`it tells ${what} as the library does`, async () => {
    expect(await agrees(text)).toBe(true);
  });

const asked: Array<[string, string]> = [
  ["a lone surrogate", "a\ud800b"],
  ["a token that stands for itself", "a <pad> b"],
  ["scripts beyond the first plane", "𒈨𒌍"],
  ["characters younger than the library's tables", "㋿ \ua7f2"],
];
for (const [what, text] of asked)
  test(`it asks the library about ${what}`, () => {
    expect(quick.ids(text)).toBeNull();
    expect(quick.offsets(text)).toBeNull();
  });

test("where letters are composed it knows the tokens, and asks where they lie", async () => {
  await agrees("e\u0301tude カ\u3099");
  expect(quick.ids("e\u0301tude")).not.toBeNull();
  expect(quick.offsets("e\u0301tude")).toBeNull();
});

test("documents of every language", async () => {
  const root = join(import.meta.dir, "../../samples");
  let length = 0;
  for (const file of new Glob("*.{md,txt}").scanSync(root)) {
    const text = await Bun.file(join(root, file)).text();
    for (let at = 0; at < text.length; at += 500) await agrees(text.slice(at, at + 500));
    length += text.length;
  }
  expect(length).toBeGreaterThan(10_000);
});

const ASSIGNED = /[^\p{Cn}\p{Co}\p{Cs}]/u;
/** Characters of one text: a text per character would take minutes. */
const CHARACTERS_PER_TEXT = 50;

test("every character, alone and beside marks that it may join or change places with", async () => {
  let certain: string[] = [];
  let count = 0;
  const check = async (): Promise<void> => {
    const text = certain
      .map(
        (one) =>
          `${one} q${one}b q\u0301${one} q${one}\u0334 ${one}\u0301\u0327 ${one.normalize("NFD")} ${one.normalize("NFKD")}`,
      )
      .join(" ");
    const encoding = await library.encode(text, null, { addSpecialTokens: false });
    expect([text, quick.ids(text)]).toEqual([text, encoding.getIds()]);
    count += certain.length;
    certain = [];
  };
  for (let point = 0; point < 0x20000; point++) {
    const character = String.fromCodePoint(point);
    if (ASSIGNED.test(character) && quick.ids(character) !== null) certain.push(character);
    if (certain.length === CHARACTERS_PER_TEXT) await check();
  }
  await check();
  expect(count).toBeGreaterThan(55_000);
});

test("any text", async () => {
  const unit = fc.oneof(
    fc.constantFrom(..."aAbe  \n.-▁ΣİﬁéßØ한글คำ漢字，…½´\u0301\u0327\u0345\u3099😀\u200d"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (text) => void (await agrees(text))),
    { numRuns: 1000 },
  );
});

const others: Array<[string, (form: any) => void]> = [
  ["another normaliser", (form) => form.normalizer.normalizers.pop()],
  ["another division before it", (form) => (form.pre_tokenizer.split = true)],
  ["tokens of its own around a text", (form) => (form.post_processor = { type: "TemplateProcessing" })],
  ["another model", (form) => (form.model.type = "BPE")],
  ["no bytes for what it cannot spell", (form) => (form.model.byte_fallback = false)],
  ["a byte that it cannot spell", (form) => (form.model.vocab[2][0] = "zero")],
  ["a token that stands for itself after normalisation", (form) => (form.added_tokens[0].normalized = true)],
];
for (const [what, change] of others)
  test(`a tokenizer with ${what} is left to the library`, () => {
    const form = JSON.parse(json);
    change(form);
    expect(QuickTokenizer.of(JSON.stringify(form))).toBeNull();
  });
