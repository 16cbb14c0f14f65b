/** Lines of a paragraph → running text. */

/** Letters and signs of scripts written without spaces: what they end and begin is joined without one. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u30FF\uFF00-\uFFEF]/u;

/** Joins lines into running text: words parted by a hyphen at a line end become whole again. */
export function joinLines(lines: readonly string[]): string {
  const parts: string[] = [];
  let last = "";
  for (const raw of lines) {
    const line = raw.trim();
    if (line === "") continue;
    if (isOneWord(last, line)) parts[parts.length - 1] = last.slice(0, -1);
    else if (last !== "" && !(UNSPACED.test(last.slice(-1)) && UNSPACED.test(line.slice(0, 1)))) parts.push(" ");
    parts.push(line);
    last = line;
  }
  return parts.join("");
}

/** A soft hyphen always parts a word; another one may be part of it, or of a name. */
function isOneWord(before: string, after: string): boolean {
  if (/\p{L}\u00AD$/u.test(before)) return /^\p{L}/u.test(after);
  return /\p{L}[-\u2010]$/u.test(before) && /^\p{Ll}/u.test(after);
}
