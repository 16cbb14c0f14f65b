/** Paths that are patterns, such as 'docs/*.md' in quotes, where no shell has resolved them. */

export interface PathGlob {
  /** The folder in which it begins: the names before the first that is a pattern. */
  readonly folder: string;
  /** Whether a path from that folder, "/" between names, matches. */
  matches(relative: string): boolean;
  /** Whether something in the folder of this path might match. */
  mayMatchIn(relative: string): boolean;
}

const WILD = /[*?[\]{}\\]/;

/** Null when the path has nothing of a pattern. */
export function readPathGlob(path: string): PathGlob | null {
  const names = path.normalize("NFC").split("/");
  const first = names.findIndex((name) => WILD.test(name));
  if (first < 0) return null;
  const pattern = names.slice(first);
  const glob = new Bun.Glob(pattern.join("/"));
  // Braces may hold slashes: then the number of names tells nothing.
  const anyDepth = pattern.some((name) => name.includes("**") || name.includes("{"));
  const depth = (relative: string): number => relative.split("/").length;
  // As it was given: on disk its names may be composed otherwise.
  const folder = path.split("/").slice(0, first).join("/");
  return {
    folder: folder || (path.startsWith("/") ? "/" : "."),
    matches: (relative) => glob.match(relative),
    mayMatchIn: (relative) => anyDepth || depth(relative) < pattern.length,
  };
}
