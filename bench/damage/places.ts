/** The kinds of files that a data directory holds. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

/** The first pattern that fits a path names its kind. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^files\/..\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "a stored file"],
  [/^files\//, "the record beside a stored file"],
  [/^indexes\/\d+\/checkpoint/, "an index's checkpoint"],
  [/^indexes\/\d+\/vectors/, "an index's vectors"],
  [/^indexes\/\d+\/sketches/, "an index's sketches"],
  [/^indexes\/\d+\/graph/, "an index's graph"],
  [/^indexes\/\d+-words\//, "an index's words"],
  [/^indexes\//, "another file of an index"],
  [/^cache\/model/, "the unpacked model"],
  [/^cache\//, "an unpacked library"],
  [/^lost\+found\//, "a file set aside"],
];

/** Paths in the data directory by kind, in a fixed order. A file of the top folder is a kind of its own. */
export function filesByKind(directory: string): Map<string, string[]> {
  const paths = readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
  return Map.groupBy(paths, (path) => KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? path);
}
