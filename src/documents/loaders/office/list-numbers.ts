/** Numbers as lists print them: 3, iv, C. */

export type NumberStyle = "decimal" | "padded" | "roman" | "ROMAN" | "letter" | "LETTER";

/** Beyond it, Roman numbers and letters would only grow longer. */
const LARGEST_SPELLED = 5000;
const ROMAN: ReadonlyArray<readonly [number, string]> = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

export function listNumber(value: number, style: NumberStyle): string {
  if (style === "padded") return String(value).padStart(2, "0");
  if (style === "decimal" || value < 1 || value > LARGEST_SPELLED) return String(value);
  const spelled = style.toLowerCase() === "roman" ? roman(value) : letters(value);
  return style === style.toUpperCase() ? spelled.toUpperCase() : spelled;
}

function roman(value: number): string {
  let rest = value;
  let text = "";
  for (const [worth, sign] of ROMAN) {
    text += sign.repeat(Math.floor(rest / worth));
    rest %= worth;
  }
  return text;
}

/** a … z, aa, bb …, as office programs count. */
function letters(value: number): string {
  return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}
