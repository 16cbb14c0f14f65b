/** In which of the built-in languages a text is written. */
import { expect, test } from "bun:test";
import { writtenLanguage, writtenThroughout } from "../../../src/documents/ocr/written-language.ts";

const ALL = ["eng", "deu", "fra", "spa"];

const cases: readonly (readonly [text: string, language: string | null])[] = [
  ["The library is closed on Sundays and on public holidays, and the gate is opened by nobody.", "eng"],
  ["Die Regelung gilt fiir alle, die in der Werkstatt und im Lager sind.", "deu"],
  ["Les tarifs de la piscine sont les mêmes pour tous, et le bassin est ouvert.", "fra"],
  ["La visita al faro es por la tarde y los niños van con sus padres, pero no hay guía.", "spa"],
  ["Rechnung Nr. 4711, Müller GmbH", null],
  ["Brot und Butter. Bread and butter for the two of them. Wer war das? Was ist das und wer ist er?", null],
  ["", null],
];

test.each(cases)("%s", (text, language) => {
  expect(writtenLanguage(text, ALL)).toBe(language);
});

test("is one of those asked about", () => {
  expect(
    writtenLanguage("Die Regelung gilt in der Werkstatt und im Lager und auf dem Hof.", ["eng", "fra"]),
  ).toBeNull();
});

const mostlyEnglish =
  "The gate is opened by nobody, and the keeper of the lamps was not there when they were lit. ".repeat(4);
const throughout: readonly (readonly [text: string, language: string | null])[] = [
  [mostlyEnglish, "eng"],
  [`${mostlyEnglish.repeat(3)} Die Rosenstraße.`, "eng"],
  [`${mostlyEnglish.repeat(3)} Wer war das, und was ist mit dem Hund, der auf dem Dach sitzt?`, null],
];

test.each(throughout)("throughout: %s", (text, language) => {
  expect(writtenThroughout(text, ALL)).toBe(language);
});
