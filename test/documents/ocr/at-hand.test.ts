import { describe, expect, test } from "bun:test";
import { languagesOfBoth } from "../../../src/documents/ocr/at-hand.ts";
import { ocrLanguages } from "../../../src/documents/ocr/languages.ts";

const own = ["eng", "deu", "rus"];

describe("languages of a program", () => {
  test("are used as those that were added, behind Lectern's own", () => {
    const { all, ofWritings, tried } = languagesOfBoth(own, ["deu", "jpn"]);
    for (const languages of [all, ofWritings, tried]) expect([...languages]).toEqual(["eng", "deu", "rus", "jpn"]);
  });

  test("are used for the most spoken of each other writing, where it has all there are", () => {
    const { all, ofWritings, tried } = languagesOfBoth(
      own,
      ocrLanguages.map(({ code }) => code),
    );
    expect(all.size).toBe(ocrLanguages.length);
    expect([...tried]).toEqual(own);
    for (const code of ["jpn", "chi_sim", "ara", "hin", "ell"]) expect([...ofWritings]).toContain(code);
    for (const code of ["bul", "fas", "mar", "ita"]) expect([...ofWritings]).not.toContain(code);
  });
});
