/** TeX's markup inside of lines → the text that it makes. Formulas stay as they are written, which is how people search for them. */

/** Commands whose argument is for the program. */
const SILENT =
  /\\(?:label|vspace|hspace|includegraphics|bibliographystyle|bibliography|usepackage|documentclass|input|include|pagestyle|thispagestyle|setlength|setcounter|addtolength|graphicspath|hypersetup|index|color|fontsize|selectfont|newcommand|renewcommand|providecommand|DeclareMathOperator)\*?(?:\[[^\][]{0,500}\])*(?:\{[^{}]{0,1000}\})*/g;
/** Commands whose first argument is for the program. */
const HALF_SILENT =
  /\\(?:textcolor|href|colorbox|parbox|raisebox|multicolumn\{\d{1,3}\})\*?(?:\[[^\][]{0,500}\])?\{[^{}]{0,1000}\}(?=\{)/g;
/** All others show what they are given. */
const SHOWING = /\\[a-zA-Z@]{1,40}\*?(?:\[[^\][]{0,500}\])?\{([^{}]{0,10000})\}/g;
const REFERENCE =
  /\\(?:cite|citep|citet|parencite|textcite|ref|eqref|autoref|cref|pageref)\*?(?:\[[^\][]{0,200}\]){0,2}\{([^{}]{0,300})\}/g;
const SWITCH =
  /\\(?:maketitle|tableofcontents|centering|newpage|clearpage|noindent|hline|toprule|midrule|bottomrule|bigskip|medskip|smallskip|par|newline|appendix|small|large|Large|huge|itshape|bfseries)\b\s?/g;
const ACCENTS: Readonly<Record<string, string>> = {
  '"': "\u0308",
  "'": "\u0301",
  "`": "\u0300",
  "^": "\u0302",
  "~": "\u0303",
  c: "\u0327",
  v: "\u030c",
  r: "\u030a",
  "=": "\u0304",
  ".": "\u0307",
};
const LETTERS: Readonly<Record<string, string>> = {
  ss: "ß",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  OE: "Œ",
  o: "ø",
  O: "Ø",
  aa: "å",
  AA: "Å",
  l: "ł",
  L: "Ł",
  i: "ı",
};
/** Commands inside one another that are taken away. */
const MOST_LEVELS = 4;

/** Formulas inside of a text. */
const FORMULA = /(\$\$[^$]{1,5000}\$\$|\$[^$\n]{1,1000}\$|\\\([^]{1,1000}?\\\)|\\\[[^]{1,5000}?\\\])/;

/** The text of some lines, without their commands. */
export function texText(source: string): string {
  if (!/[\\{}~`'-]/.test(source)) return source;
  return source
    .split(FORMULA)
    .map((part, index) => (index % 2 === 0 ? withoutCommands(part) : part))
    .join("");
}

function withoutCommands(source: string): string {
  let text = source
    .replace(/\\(["'`^~=.])\s*(?:\{\\?([a-zA-Z])\}|\\?([a-zA-Z]))/g, accented)
    .replace(/\\([cvr])(?:\{\\?([a-zA-Z])\}|\s+([a-zA-Z]))/g, accented)
    .replace(/\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i)(?:\{\}|\b\s?)/g, (_, name: string) => LETTERS[name]!)
    .replace(SILENT, "")
    .replace(HALF_SILENT, "")
    .replace(REFERENCE, "[$1]")
    .replace(/\\(?:begin|end)\{[^{}]{0,100}\}(?:\[[^\][]{0,200}\])?/g, "");
  for (let level = 0; level < MOST_LEVELS; level += 1) text = text.replace(SHOWING, "$1");
  return text
    .replace(/\\\\(?:\[[^\][]{0,20}\])?/g, "\n")
    .replace(SWITCH, "")
    .replace(/\\([%&$#_])/g, "$1")
    .replace(/(?<!\\)~/g, " ")
    .replace(/``|''/g, '"')
    .replace(/---/g, "—")
    .replace(/--/g, "–")
    .replace(/(?<!\\)\{([^{}]{0,1000})\}/g, "$1")
    .replace(/\\([{}])/g, "$1");
}

function accented(_: string, accent: string, braced?: string, bare?: string): string {
  return `${braced ?? bare}${ACCENTS[accent]}`.normalize("NFC");
}
