/** What an upload says of the languages of its files: what is spoken in them, and written in their pictures. Pure. */
import type { ExpectedLanguages } from "../documents/index.ts";
import { fail } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";

/** The fields as they come; left out or empty: nothing is said. */
export interface LanguageFields {
  readonly language: string | undefined;
  /** Several by commas, or a JSON array. */
  readonly ocrLanguages: string | undefined;
}

/** Throws INVALID_REQUEST for what is no language, and for too many. */
export function readExpectedLanguages({ language, ocrLanguages }: LanguageFields): ExpectedLanguages {
  return {
    language: language ? readLanguage(language.trim()) : null,
    ocrLanguages: [...new Set(ocrLanguages ? readList(ocrLanguages.trim()).map(readOcrLanguage) : [])],
  };
}

/** As BCP 47 writes it. */
function readLanguage(text: string): string {
  try {
    if (fits(text, fieldLimits.language)) return Intl.getCanonicalLocales(text)[0]!;
  } catch {
    // It has the form of a tag and repeats or misplaces a part.
  }
  throw invalid(`language must be a BCP 47 tag such as "en" or "pt-BR", not ${shown(text)}.`);
}

function readOcrLanguage(text: string): string {
  if (fits(text, fieldLimits.ocrLanguages)) return text;
  throw invalid(
    `ocrLanguages must be BCP 47 tags such as "de", or names of Tesseract's such as "deu" or "chi_sim"; ${shown(text)} is neither.`,
  );
}

function readList(text: string): string[] {
  const parts: unknown = text.startsWith("[") ? parseJson(text) : text.split(",");
  const { maxItems } = fieldLimits.ocrLanguages;
  if (!Array.isArray(parts) || parts.some((part) => typeof part !== "string"))
    throw invalid("ocrLanguages must be names with commas between them, or a JSON array of strings.");
  const names = (parts as string[]).map((part) => part.trim()).filter((part) => part !== "");
  if (names.length > maxItems) throw invalid(`ocrLanguages names more than ${maxItems} languages.`);
  return names;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const fits = (text: string, limits: { readonly maxLength: number; readonly pattern: string }): boolean =>
  text.length <= limits.maxLength && new RegExp(limits.pattern).test(text);

const shown = (text: string): string => JSON.stringify(text.length <= 50 ? text : `${text.slice(0, 49)}…`);

const invalid = (reason: string): Error => fail("INVALID_REQUEST", { reason });
