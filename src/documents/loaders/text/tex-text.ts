/** TeX's markup inside of lines → the text that it makes. Formulas stay as they are written, which is how people search for them. */

/** Commands whose argument is for the program. */
const SILENT =
  /\\(?:label|vspace|hspace|includegraphics|bibliographystyle|bibliography|usepackage|documentclass|input|include|pagestyle|thispagestyle|setlength|setcounter|addtolength|graphicspath|hypersetup|index|color|fontsize|selectfont|newcommand|renewcommand|providecommand|DeclareMathOperator)(?![a-zA-Z])\*?(?:\[[^\][]{0,500}\])*(?:\{[^{}]{0,1000}\})*/g;
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

/** How formulas inside of a text begin: how they end, and how many UTF-16 units they may have. */
const FORMULAS: Readonly<Record<string, { close: string; most: number }>> = {
  $$: { close: "$$", most: 5000 },
  $: { close: "$", most: 1000 },
  "\\(": { close: "\\)", most: 1000 },
  "\\[": { close: "\\]", most: 5000 },
};

/** The text of some lines, without their commands. */
export function texText(source: string): string {
  if (!/[\\{}~`'-]/.test(source)) return source;
  return partsOf(source)
    .map((part, index) => (index % 2 === 0 ? withoutCommands(part) : part))
    .join("");
}

/** Text and formulas in turn. Each end is looked for once, however many beginnings it has. */
function partsOf(source: string): string[] {
  const mark = /\\[^]|\$\$?/g;
  const ends = new Map<string, number>();
  const parts: string[] = [];
  let from = 0;
  for (let found = mark.exec(source); found !== null; found = mark.exec(source)) {
    const { close, most } = FORMULAS[found[0]] ?? {};
    if (close === undefined || most === undefined) continue;
    const start = mark.lastIndex;
    let end = ends.get(close) ?? -1;
    if (end < start) {
      end = source.indexOf(close, start);
      if (end < 0) end = Number.POSITIVE_INFINITY;
      ends.set(close, end);
    }
    if (end === start || end - start > most) continue;
    if (close === "$" && source.slice(start, end).includes("\n")) continue;
    parts.push(source.slice(from, found.index), source.slice(found.index, end + close.length));
    from = end + close.length;
    mark.lastIndex = from;
  }
  parts.push(source.slice(from));
  return parts;
}

function withoutCommands(source: string): string {
  let text = source
    .replace(/\\(["'`^~=.])\s*(?:\{\\?([a-zA-Z])\}|\\?([a-zA-Z]))/g, accented)
    .replace(/\\([cvr])(?:\{\\?([a-zA-Z])\}|\s+([a-zA-Z]))/g, accented)
    .replace(/\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i)(?:\{\}|\b\s?)/g, (_, name: string) => LETTERS[name]!)
    .replace(/\\((?:La|Bib|Xe|Lua|pdf){0,2}TeX)(?![a-zA-Z])(?:\{\})?/g, "$1")
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
