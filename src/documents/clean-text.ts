/**
 * Text as it is stored, searched and shown: whole letters in one form, and nothing that is neither seen nor said. What programs put
 * between letters for printing would keep a word from being found.
 */

/** Most text is of nothing else, and needs nothing. */
const ALL_CLEAN = /^[\t\n\u0020-\u007E\u00A0-\u00AC\u00AE-\u02FF]*$/;
const LINE_ENDS = /\r\n?|\u0085|[\u000B\u000C\u2028\u2029]/g;
/** A soft hyphen at the end of a line was put there to part a word. */
const PARTED_WORD = /\u00AD\n[ \t]*/g;
/**
 * Control characters other than tab and line feed, and signs that are not seen: soft hyphens, spaces and joiners of no width, marks of
 * byte order and of writing direction.
 */
const UNSEEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/g;
/** Joiners, and what may stand before them: letters of writings in which they change or part letters, and emoji. */
const JOINERS = /[\u200C\u200D]/;
const NEEDLESS_JOINERS =
  /(?<!\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Mongolian}|\p{Script=Nko}|[\u064B-\u0655\u0670]|[\u0900-\u0DFF]|[\u0F00-\u109F]|[\u1780-\u17FF]|[\u1B00-\u1BBF]|[\uA800-\uABFF]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)[\u200C\u200D]|[\u200C\u200D](?=\s|$)/gu;
/** Letters as printing houses join or shape them, and radicals that stand for whole characters. */
const PRINTED_FORMS = /[\u2E9F\u2EF3\u2F00-\u2FD5\uFB00-\uFB06\uFB13-\uFB17\uFB20-\uFB29\uFB4F-\uFDFB\uFE70-\uFEFC]/g;

/**
 * Makes text safe to store and show: line ends become "\n", unseen characters go, printed forms become letters, lone surrogates U+FFFD,
 * and all is in Unicode's normal form C. Clean text stays as it is.
 */
export function cleanText(text: string): string {
  if (ALL_CLEAN.test(text)) return text;
  let clean = text
    .replace(LINE_ENDS, "\n")
    .replace(PARTED_WORD, "")
    .replace(UNSEEN, "")
    .replace(PRINTED_FORMS, asLetters)
    .toWellFormed();
  if (JOINERS.test(clean)) clean = clean.replace(NEEDLESS_JOINERS, "");
  return clean.normalize("NFC");
}

/** The text on one line: blanks and line breaks in a row become one blank, those at its ends go. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The letters of a printed form. Forms of marks alone come with a space to stand on. */
function asLetters(form: string): string {
  return form.normalize("NFKC").replace(/^[ \u0640](?=\p{M})/u, "");
}
