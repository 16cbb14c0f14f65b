/** In which languages a picture is read: those that are named, or those at hand of its writing; and what is said where there is none. */
import type { Content } from "../content.ts";
import type { AtHand } from "./at-hand.ts";
import { builtInLanguages, DETECTION } from "./language-data.ts";
import { languagesOf, languageTitle, ocrCode, ocrLanguages, scriptNamed } from "./languages.ts";

/** Writings whose models know no Latin letters, so that names in them are read in English: its model comes first. */
const WITH_ENGLISH: ReadonlySet<string> = new Set(["Greek", "Devanagari"]);
/** Languages that a page is read in at once: each takes its time and memory. */
const MOST_LANGUAGES = 8;
/** A language of so many words of a page is one of the document's. */
const OWN_LANGUAGE = 0.2;
/** Languages named in an error. */
const MOST_NAMED = 6;

/** What the upload names, else the server; else the language that is spoken, if there is a model of it. */
export function namedLanguages({ recognition }: Content, atHand: AtHand): readonly string[] {
  const { expected, ocrLanguages: usual } = recognition;
  const named = expected.ocrLanguages.length > 0 ? expected.ocrLanguages : usual;
  if (named.length > 0) return [...new Set(named.map(ocrCode))].slice(0, MOST_LANGUAGES);
  const spoken = expected.language === null ? null : ocrCode(expected.language);
  return spoken !== null && spoken !== DETECTION && atHand.all.has(spoken) ? [spoken] : [];
}

/** Languages at hand of the writing that is detected. Throws NO_OCR_LANGUAGE where there is none. */
export function languagesFor(detected: string, content: Content, { ofWritings }: AtHand): readonly string[] {
  const script = scriptNamed(detected);
  const languages = languagesOf(script);
  const isOfScript = new Set(languages.map(({ code }) => code));
  // Han is what Japanese and Korean are also written with.
  const others = script === "Han" ? ["jpn"] : script === "Japanese" ? ["chi_sim", "chi_tra"] : [];
  const own = [...ofWritings].filter((code) => isOfScript.has(code));
  const usable = own.length > 0 ? own : others.filter((code) => ofWritings.has(code));
  if (usable.length > 0) return [...(WITH_ENGLISH.has(script) ? ["eng"] : []), ...usable].slice(0, MOST_LANGUAGES);
  const titles = languages.slice(0, MOST_NAMED).map(({ code }) => languageTitle(code));
  throw lacking(content, `${script} script (${titles.join(", ")})`, languages[0]?.code ?? "LANGUAGE");
}

/** The languages that were added, those of one writing together. */
export function addedLanguages({ tried }: AtHand): readonly string[][] {
  const added = ocrLanguages.filter(({ code }) => tried.has(code) && !builtInLanguages.includes(code));
  const byScript = Map.groupBy(added, ({ script }) => script);
  return [...byScript.values()].map((languages) => languages.slice(0, MOST_LANGUAGES).map(({ code }) => code));
}

/** Those that many of the words are in. */
export function ownLanguages(words: ReadonlyMap<string, number>): readonly string[] | null {
  const all = [...words.values()].reduce((sum, count) => sum + count, 0);
  const own = [...words].filter(([, count]) => count >= all * OWN_LANGUAGE);
  return own.length === 0 ? null : own.toSorted(([, a], [, b]) => b - a).map(([language]) => language);
}

export function lacking(content: Content, language: string, model: string) {
  return content.refused("NO_OCR_LANGUAGE", { language, model });
}

export function isLackOfLanguage(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "NO_OCR_LANGUAGE";
}
