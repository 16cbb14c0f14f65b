/** ARCHITECTURE.md is true: what it names is there, and imports go the way it says. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dir, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const page = read("ARCHITECTURE.md");
/** In the table's order. */
const rooms = [...page.matchAll(/^\| `src\/([a-z-]+)(?:\/|\.ts|\.d\.ts)` \|/gm)].map(([, room]) => room!);

const files = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(root)];
/** The project's own files that each imports, types included. */
const imports = new Map(
  files.map((file) => [
    file,
    [...read(file).matchAll(/(?:from |import\(|import )"(\.[^"]+\.tsx?)"/g)].map(([, path]) =>
      relative(root, join(root, dirname(file), path!)),
    ),
  ]),
);
const roomOf = (file: string): string => file.split("/")[1]!.replace(/(\.d)?\.ts$/, "");

test("every file and folder that it names is there", () => {
  const named = [...page.matchAll(/`((?:src|test)\/[^`]*)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("it names every room", () => {
  const present = readdirSync(join(root, "src")).map((name) => name.replace(/(\.d)?\.ts$/, ""));
  expect(rooms.toSorted()).toEqual(present.toSorted());
});

test("imports go down its table", () => {
  const upwards = [...imports].flatMap(([file, imported]) =>
    imported
      .filter((path) => path.startsWith("src/") && rooms.indexOf(roomOf(path)) < rooms.indexOf(roomOf(file)))
      .map((path) => `${file} imports ${path}`),
  );
  expect(upwards).toEqual([]);
});

test("no file imports itself by a detour", () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (path.includes(file) || done.has(file)) return;
    for (const next of imports.get(file) ?? []) follow(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) follow(file, []);
  expect(circles).toEqual([]);
});
