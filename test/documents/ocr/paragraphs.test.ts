/** What Tesseract makes of a page → paragraphs, without what is most likely no text. */
import { expect, test } from "bun:test";
import { textOf } from "../../../src/documents/ocr/paragraphs.ts";

/** One line of words, each with how sure it is. */
function line(...words: (readonly [text: string, confidence: number])[]): string {
  return words.map(([text, sure], at) => `5\t1\t1\t1\t1\t${at}\t${at * 100}\t0\t90\t20\t${sure}\t${text}`).join("\n");
}

const cases: readonly (readonly [what: string, rows: string, paragraphs: string[]])[] = [
  ["words that are sure are kept", line(["The", 95], ["gate", 93]), ["The gate"]],
  ["a line that is unsure is a part of a picture", line(["lI|", 31], ["gate", 42]), []],
  ["a speck in a line that is sure is left out", line(["The", 95], ["~»", 4], ["gate", 93]), ["The gate"]],
  [
    "a word of letters in a line that is sure is kept: one letter looked like another",
    line(["Σήμερα", 95], ["ανακοίνωσαν", 93], ["επιστήμονες", 0], ["του", 96], ["Πανεπιστημίου", 94], ["στην", 96]),
    ["Σήμερα ανακοίνωσαν επιστήμονες του Πανεπιστημίου στην"],
  ],
  [
    "not in a line that is less sure",
    line(["The", 70], ["gate", 12], ["opens", 65], ["again", 65]),
    ["The opens again"],
  ],
  ["nor two letters", line(["The", 95], ["lI", 12], ["gate", 93]), ["The gate"]],
  ["a sign of two letters that looks like one is written as it is meant", line(["ไม\u0E4Dา", 95]), ["ไม\u0E33"]],
];

test.each(cases)("%s", (_, rows, paragraphs) => {
  expect(textOf(rows).paragraphs).toEqual(paragraphs);
});

test("confidence is that of all letters, of words left out as well", () => {
  expect(textOf(line(["gate", 90], ["~~~~", 10])).confidence).toBe(50);
  expect(textOf("").confidence).toBe(0);
});
