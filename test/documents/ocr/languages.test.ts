import { expect, test } from "bun:test";
import { isWriting } from "../../../src/documents/ocr/languages.ts";

test("what is detected is a writing where some language is written in it", () => {
  for (const script of ["Latin", "Fraktur", "Han", "Hiragana", "Hangul", "Arabic"])
    expect(isWriting(script)).toBe(true);
  for (const script of ["Common", "NULL", ""]) expect(isWriting(script)).toBe(false);
});
