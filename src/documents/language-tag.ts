/** Languages as documents name them → BCP 47. */

const LONGEST = 35;

/** The tag as it is written by the rules, e.g. "en-US" for "en_us"; undefined for what is none. */
export function languageTag(text: string): string | undefined {
  const clean = text.trim().replaceAll("_", "-").replace(/\..*$/, "");
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(clean) || clean.length > LONGEST) return undefined;
  try {
    return Intl.getCanonicalLocales(clean)[0];
  } catch {
    // It has the form of a tag and repeats or misplaces a part.
    return undefined;
  }
}
