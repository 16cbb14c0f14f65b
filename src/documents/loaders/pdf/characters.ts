/** What PDF fonts make of characters: ligatures and shapes of letters become letters, pictures of bullets bullets. */

/** Letters as they are shaped beside others: Latin ligatures, Hebrew and Arabic forms. */
const SHAPED = /[\uFB00-\uFB4F\uFB50-\uFDFB\uFE70-\uFEFC]+/g;
/** Where the fonts Symbol and Wingdings have their bullets. */
const PICTURED_BULLETS = /[\uF06C\uF06E\uF0A7\uF0A8\uF0B7\uF0D8\uF0FC\uF076\uF071]/g;
/** Characters without a meaning outside of their font, and those that cannot be seen. */
const MEANINGLESS = /[\p{Co}\p{Cc}\u200B\u2060\uFEFF]+/gu;
const RARE = /[^\u0020-\u007E]/;

export function readableText(text: string): string {
  if (!RARE.test(text)) return text;
  return text
    .replace(/\s/g, " ")
    .replace(SHAPED, (letters) => letters.normalize("NFKC"))
    .replace(PICTURED_BULLETS, "•")
    .replace(MEANINGLESS, "")
    .normalize("NFC");
}
