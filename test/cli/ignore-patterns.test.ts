/** Patterns as git documents them for `.gitignore`. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readIgnorePatterns } from "../../src/cli/ingest/ignore-patterns.ts";

/** Whether a path (a folder with "/" at its end) is matched; null where no pattern speaks of it. */
function matches(text: string, path: string): boolean | null {
  const verdict = readIgnorePatterns(text).judge(path.replace(/\/$/, ""), path.endsWith("/"));
  return verdict === null ? null : verdict === "match";
}

const cases: [what: string, text: string, matched: string[], notMatched: string[]][] = [
  ["a name, at any depth, file or folder", "build", ["build", "build/", "a/b/build"], ["builds", "a.build", "Build"]],
  ["a slash at the end: folders only", "build/", ["build/", "a/build/"], ["build", "a/build"]],
  ["a slash at the beginning: here only", "/build", ["build", "build/"], ["a/build"]],
  ["a slash in the middle: here only", "doc/frotz", ["doc/frotz"], ["a/doc/frotz", "frotz"]],
  ["both", "/doc/frotz/", ["doc/frotz/"], ["doc/frotz", "a/doc/frotz/"]],
  ["* but no slash", "*.log", ["a.log", ".log", "a/b.log"], ["a.logs"]],
  ["* within a path", "doc/*.md", ["doc/a.md"], ["doc/a/b.md"]],
  ["? one character, no slash", "a?c", ["abc", "aüc", "a😀c"], ["ac", "abbc", "a/c"]],
  ["brackets", "[a-c]x", ["ax", "bx"], ["dx", "x"]],
  ["brackets turned round", "[!a-c]x", ["dx"], ["ax"]],
  ["brackets turned round, the other way", "[^ab]x", ["cx"], ["ax"]],
  ["a closing bracket that comes first is one of them", "[]-]x", ["]x", "-x"], ["ax"]],
  ["named classes", "[[:digit:][:upper:]]x", ["1x", "Ax"], ["ax"]],
  ["brackets hold no slash", "a[/]b", [], ["a/b"]],
  ["**/ at the beginning: in every folder", "**/foo/bar", ["foo/bar", "a/b/foo/bar"], ["foo/a/bar"]],
  ["/** at the end: all that is inside", "abc/**", ["abc/x", "abc/x/y"], ["abc", "abc/", "a/abc/x"]],
  ["/**/ in the middle: any number of folders", "a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/bb"]],
  ["other ** are like *", "a**b/c", ["axb/c", "ab/c"], ["ax/yb/c"]],
  ["** alone", "**", ["a", "a/b"], []],
  ["a line of # is a comment", "#a", [], ["#a", "a"]],
  ["unless it is escaped", "\\#a", ["#a"], []],
  ["empty lines match nothing", "\n\n", [], ["", "a"]],
  ["spaces at the end do not count", "a  ", ["a"], ["a  "]],
  ["unless they are escaped", "a\\ ", ["a "], ["a"]],
  ["spaces elsewhere do", " a b", [" a b"], ["a b"]],
  ["! takes back", "*.md\n!a.md", ["b.md"], ["a.md"]],
  ["the last that matches decides", "*.md\n!a.md\na.*", ["a.md"], []],
  ["an escaped !", "\\!a", ["!a"], ["a"]],
  ["a backslash takes meaning away", "\\*\\?", ["*?"], ["ab"]],
  ["a bracket without end is no pattern", "[ab", [], ["a", "[ab"]],
  ["nor is a backslash at the end", "a\\", [], ["a", "a\\"]],
  ["line ends of Windows, and a byte order mark", "\ufeffa\r\nb\r\n", ["a", "b"], ["c"]],
  ["letters are the same however they are composed", "Bu\u0308cher", ["B\u00fccher", "Bu\u0308cher"], ["Bucher"]],
  ["what regular expressions make something of is text", "a.b+(c)|^$", ["a.b+(c)|^$"], ["axb+(c)|^$", "a.bb(c)"]],
];
describe.each(cases)("%s", (_what, text, matched, notMatched) => {
  for (const path of matched) test(`matches ${JSON.stringify(path)}`, () => expect(matches(text, path)).toBe(true));
  for (const path of notMatched)
    test(`does not match ${JSON.stringify(path)}`, () => expect(matches(text, path)).not.toBe(true));
});

test("what is taken back differs from what nothing speaks of", () => {
  expect([matches("!a", "a"), matches("!a", "b")]).toEqual([false, null]);
});

test("any text is read", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab*?[]!\\/#- ^:😀") }), fc.string(), (text, path) => {
      readIgnorePatterns(text).judge(path, false);
    }),
  );
});
