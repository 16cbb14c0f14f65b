/**
 * Patterns that name files, to leave them out for instance, written and read as git reads those of `.gitignore`: the last that matches decides, `!` takes back,
 * a slash at the beginning or in the middle ties a pattern to its folder, one at the end limits it to folders. Pure.
 */

/** What patterns say of an entry: one matches, one with `!` takes that back, or none speaks of it. */
export type Verdict = "match" | "exception" | null;

export interface IgnorePatterns {
  /** The verdict on an entry by its path relative to the patterns' folder, "/" between names; of its folders it says nothing. */
  judge(relative: string, isFolder: boolean): Verdict;
}

interface Pattern {
  readonly verdict: "match" | "exception";
  readonly foldersOnly: boolean;
  /** Whether it is held against the whole relative path, not the last name alone. */
  readonly anchored: boolean;
  readonly expression: RegExp;
}

/** Reads the text of a file of patterns. A line that git cannot read either matches nothing. */
export function readIgnorePatterns(text: string): IgnorePatterns {
  return toIgnorePatterns(text.replace(/^\ufeff/, "").split(/\r?\n/));
}

/** Reads patterns one by one, as the command line takes them. */
export function toIgnorePatterns(lines: readonly string[]): IgnorePatterns {
  const patterns = lines.map(readPattern).filter((pattern) => pattern !== null);
  return {
    judge(relative, isFolder) {
      const path = relative.normalize("NFC");
      const name = path.slice(path.lastIndexOf("/") + 1);
      const last = patterns.findLast(
        ({ foldersOnly, anchored, expression }) =>
          (isFolder || !foldersOnly) && expression.test(anchored ? path : name),
      );
      return last?.verdict ?? null;
    },
  };
}

function readPattern(line: string): Pattern | null {
  let glob = withoutSpacesAtEnd(line.normalize("NFC"));
  if (glob.startsWith("#")) return null;
  const takesBack = glob.startsWith("!");
  if (takesBack) glob = glob.slice(1);
  const foldersOnly = glob.endsWith("/");
  if (foldersOnly) glob = glob.slice(0, -1);
  const anchored = glob.includes("/");
  if (glob.startsWith("/")) glob = glob.slice(1);
  const source = glob === "" ? null : globSource(glob);
  if (source === null) return null;
  return {
    verdict: takesBack ? "exception" : "match",
    foldersOnly,
    anchored,
    expression: new RegExp(`^${source}$`, "su"),
  };
}

/** Spaces at the end do not count, but for one that a backslash holds. */
function withoutSpacesAtEnd(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === " ") continue;
    end = at + 1;
  }
  return line.slice(0, end);
}

const CLASSES: Readonly<Record<string, string>> = {
  alnum: "\\p{L}\\p{N}",
  alpha: "\\p{L}",
  blank: " \\t",
  cntrl: "\\p{Cc}",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "\\p{Ll}",
  print: "\\x20-\\x7e",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\s",
  upper: "\\p{Lu}",
  xdigit: "0-9A-Fa-f",
};

/** The pattern as a regular expression, or null where it is broken: a bracket without end, a backslash with nothing behind. */
function globSource(glob: string): string | null {
  let source = "";
  for (let at = 0; at < glob.length; ) {
    const stars = /^\*+/.exec(glob.slice(at))?.[0] ?? "";
    if (stars.length > 0) {
      const after = at + stars.length;
      const wholeName = stars.length >= 2 && (at === 0 || glob[at - 1] === "/");
      if (wholeName && glob[after] === "/") {
        source += "(?:.*/)?";
        at = after + 1;
      } else {
        source += wholeName && after === glob.length ? ".*" : "[^/]*";
        at = after;
      }
      continue;
    }
    if (glob[at] === "[") {
      const bracket = bracketSource(glob, at);
      if (bracket === null) return null;
      source += bracket.source;
      at = bracket.end;
      continue;
    }
    if (glob[at] === "?") {
      source += "[^/]";
      at++;
      continue;
    }
    const character = characterAt(glob, at);
    if (character === null) return null;
    source += literal(character.code);
    at = character.end;
  }
  return source;
}

/** `[a-z]`, `[!a]`, `[[:digit:]]`: one character, never a slash. `end` is behind the closing bracket. */
function bracketSource(glob: string, start: number): { source: string; end: number } | null {
  let at = start + 1;
  const isNegated = glob[at] === "!" || glob[at] === "^";
  if (isNegated) at++;
  const first = at;
  let members = "";
  while (at < glob.length && (glob[at] !== "]" || at === first)) {
    const named = /^\[:(\w+):\]/.exec(glob.slice(at));
    if (named !== null) {
      const known = CLASSES[named[1]!];
      if (known === undefined) return null;
      members += known;
      at += named[0].length;
      continue;
    }
    const low = characterAt(glob, at);
    if (low === null) return null;
    at = low.end;
    const high = glob[at] === "-" && glob[at + 1] !== "]" ? characterAt(glob, at + 1) : null;
    if (high === null) members += literal(low.code);
    else {
      // A range that runs backwards holds nothing.
      if (low.code <= high.code) members += `${literal(low.code)}-${literal(high.code)}`;
      at = high.end;
    }
  }
  if (glob[at] !== "]") return null;
  const set = members === "" ? (isNegated ? "[^/]" : "[]") : `[${isNegated ? "^" : ""}${members}]`;
  return { source: `(?!/)${set}`, end: at + 1 };
}

/** The character that stands at a place, perhaps behind a backslash. */
function characterAt(glob: string, at: number): { code: number; end: number } | null {
  const start = glob[at] === "\\" ? at + 1 : at;
  const code = glob.codePointAt(start);
  return code === undefined ? null : { code, end: start + (code > 0xffff ? 2 : 1) };
}

const literal = (code: number): string => `\\u{${code.toString(16)}}`;
