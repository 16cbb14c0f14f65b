/** The words of the pages in the language that the reader's browser asks for, as far as there is a table of it. */
import { en } from "./en.ts";
import { formatsFor, type Formats } from "./formats.ts";

/** What a table of words holds: `en.ts` shows it, another language is another such file. */
export type Words = ReturnType<typeof en>;

/** By language, the first that is asked for and here. */
const tables: Readonly<Record<string, (formats: Formats) => Words>> = { en };

/** The browser's; elsewhere there is none. */
const { languages = [] } = (globalThis as { navigator?: { languages?: readonly string[] } }).navigator ?? {};
export const locale = languages.find((one) => Object.hasOwn(tables, languageOf(one))) ?? "en";

export const formats = formatsFor(locale);
export const words: Words = tables[languageOf(locale)]!(formats);

function languageOf(tag: string): string {
  return tag.split("-")[0]!.toLowerCase();
}
