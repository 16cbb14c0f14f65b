/** `lectern doctor` on stored files, and the way back from a lost database as an operator walks it. */
import { afterAll, beforeEach, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openExisting } from "../../src/store/database.ts";
import { lectern, serve, temporaryFolder } from "./lectern.ts";

const folder = temporaryFolder();
const documents = join(folder.path, "documents");
const pristine = join(folder.path, "pristine");
const at = (name: string): string => join(folder.dataDirectory, name);
const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
afterAll(() => folder.remove());

/** The stored file of the first document. */
const stored = (): string => {
  const name = readdirSync(at("files"), { recursive: true })
    .map(String)
    .find((path) => /[0-9a-f-]{36}$/.test(path))!;
  return at(join("files", name));
};

beforeEach(async () => {
  if (!existsSync(pristine)) {
    mkdirSync(documents);
    for (const name of ["bicycles", "trains"])
      writeFileSync(join(documents, `${name}.txt`), `A document about ${name}.`);
    await run("customer", "create", "acme", "--credits", "10");
    expect((await run("ingest", documents, "--dataset", "d")).code).toBe(0);
    cpSync(folder.dataDirectory, pristine, { recursive: true });
  }
  rmSync(folder.dataDirectory, { recursive: true });
  cpSync(pristine, folder.dataDirectory, { recursive: true });
});

const removeDatabase = (): void =>
  ["", "-wal", "-shm"].forEach((ending) => rmSync(at(`lectern.db${ending}`), { force: true }));

/** As a process leaves it that is killed just after it has deleted a large dataset. */
function discardAll(): void {
  using database = openExisting(at("lectern.db"));
  database.run("INSERT INTO discardedDatasets (id, name) SELECT id, name FROM datasets");
  database.run("DELETE FROM datasets");
}

/** As a server leaves them that is stopped: one that was accepted and is to be read, and one that could not be. */
function addUnread(): void {
  using database = openExisting(at("lectern.db"));
  for (const [fileId, errorCode] of [
    ["019c2f00-0000-7000-8000-0000000000aa", null],
    ["019c2f00-0000-7000-8000-0000000000bb", "UNREADABLE_FILE"],
  ] as const) {
    const storagePath = join("files", fileId.slice(-2), fileId);
    if (errorCode === null) writeFileSync(at(storagePath), "text");
    database
      .query(
        `INSERT INTO uploadJobs (fileId, customerId, datasetName, originalName, storagePath, size, sha256, created, chunkSize, chunkOverlap, chargeId, errorCode)
         VALUES (?, 'acme', 'd', 'a.txt', ?, 4, ?, 0, 300, 20, 'c', ?)`,
      )
      .run(fileId, storagePath, "0".repeat(64), errorCode);
  }
}

function replaceByFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

const tables: [string, () => void, string[], number, RegExp][] = [
  ["whole files", () => {}, [], 0, /ok +files: 2 stored files are there, of the right size\./],
  [
    "whole files, read through",
    () => {},
    ["--deep"],
    0,
    /ok +files: 2 stored files are there, byte for byte what was uploaded\./,
  ],
  [
    "a stored file cut short",
    () => truncateSync(stored(), 3),
    [],
    1,
    /WRONG +files: 1 stored file is not what was uploaded: .* is not a file of \d+ bytes/,
  ],
  [
    "a stored file changed in place",
    () => writeFileSync(stored(), "B", { flag: "r+" }),
    ["--deep"],
    1,
    /WRONG +files: .*are not those that were uploaded/,
  ],
  ["a file that is still to be read", addUnread, [], 0, /ok +files: 1 of them is still to be read/],
  ["a file that could not be read", addUnread, [], 0, /ok +files: 1 more could not be read, which shows why/],
  ["both among the stored files", addUnread, [], 0, /ok +files: 3 stored files are there, of the right size\./],
  ["a stored file gone", () => rmSync(stored()), [], 1, /WRONG +files: 1 stored file is missing: .*\/files\//],
  [
    "a folder in a stored file's place",
    () => replaceByFolder(stored()),
    [],
    1,
    /WRONG +files: 1 stored file is not what was uploaded/,
  ],
  ["files that are deleted and not cleared up yet", discardAll, [], 0, /ok +files: 0 stored files are there/],
  [
    "the same, the bytes of one being gone",
    () => (discardAll(), rmSync(stored())),
    [],
    0,
    /ok +documents: .* is whole/,
  ],
  [
    "no database",
    removeDatabase,
    [],
    1,
    /WRONG +files: .*lectern\.db is older than the documents beside it: 2 stored files are unknown[^]*doctor\s+--adopt/,
  ],
  [
    "no customers",
    () => rmSync(at("access.db")),
    [],
    1,
    /WRONG +customers: .*access\.db is missing or empty, and there are lectern\.db beside it/,
  ],
  [
    "no secret",
    () => rmSync(at("secret")),
    [],
    1,
    /WRONG +secret: .*secret is missing beside access\.db[^]*--accept-loss/,
  ],
];
test.each(tables)("doctor tells of %s", async (_name, damage, flags, code, sentence) => {
  damage();
  const doctor = await run("doctor", ...flags);
  expect(doctor.stdout).toMatch(sentence);
  expect(doctor.code).toBe(code);
});

test("a server is refused on a lost database, goes on when told to, and the documents come back", async () => {
  removeDatabase();
  const refused = await run("serve", "--port", "0");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("2 stored files are unknown to it") });
  const server = await serve(folder.dataDirectory, ["--accept-loss"]);
  expect(await run("doctor", "--adopt")).toMatchObject({ code: 1, stderr: expect.stringContaining("Stop it") });
  expect((await run("doctor")).stdout).toMatch(/warning +files: 2 stored files are set aside/);
  await server.stop();
  expect(await run("doctor", "--adopt")).toMatchObject({ code: 0, stdout: "Indexed 2 of 2 files again.\n" });
  expect(await run("doctor", "--adopt")).toMatchObject({ code: 0, stdout: "There is nothing to index again.\n" });
  expect((await run("search", "trains", "--dataset", "d")).stdout).toContain("trains.txt");
  expect((await run("credits", "show", "--customer", "acme", "--json")).json().credits).toBe(7.9);
  const noted = readFileSync(at("audit.log"), "utf8");
  expect(noted).toContain('"action":"directory.accept-loss"');
  expect(noted.match(/"action":"files.adopt"/g)).toHaveLength(1);
});

test.each(["access.db", "secret"])("no command makes a new %s beside documents", async (name) => {
  rmSync(at(name));
  for (const words of [
    ["serve", "--port", "0"],
    ["key", "list"],
    ["customer", "create", "other"],
    ["search", "trains", "--dataset", "d"],
    ["ingest", documents, "--dataset", "d"],
    ["doctor", "--adopt"],
  ]) {
    expect(await run(...words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${name} is missing, or empty, beside documents`),
    });
  }
  expect(existsSync(at(name))).toBe(false);
});
