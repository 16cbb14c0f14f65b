/**
 * Every file of the data directory, missing or damaged: what `doctor` says of it, and what a start does. A start succeeds, or fails
 * with a sentence that names the path and says what to do.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAppliance } from "../../src/appliance/index.ts";
import { checkChanges } from "../../src/cli/doctor/changes.ts";
import { checkDatabases } from "../../src/cli/doctor/databases.ts";
import { checkFiles } from "../../src/cli/doctor/files.ts";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { checkPlaces } from "../../src/cli/doctor/places.ts";
import { examineSecret } from "../../src/cli/doctor/secret.ts";
import { loadConfig } from "../../src/options/config.ts";
import { createLog } from "../../src/foundation/log.ts";
import { failureOf, startLectern } from "../harness.ts";
import { lectern } from "./lectern.ts";

let whole = "";
let directory = "";

beforeAll(async () => {
  const server = await startLectern();
  const { key } = server.customer();
  await server.upload(
    key,
    "letters",
    { "a.txt": "The harbour is closed on Sundays. ".repeat(200), "b.txt": "The museum opens at nine." },
    { extraMeta: '{"year": 2026}' },
  );
  await server.appliance.close();
  whole = mkdtempSync(join(tmpdir(), "lectern-test-"));
  cpSync(server.directory, whole, { recursive: true });
  await server.stop();
  for (const name of ["models", "indexes"]) mkdirSync(join(whole, name), { recursive: true, mode: 0o700 });
  writeFileSync(join(whole, "lectern.toml"), "rate_token = 9\n", { mode: 0o600 });
  writeFileSync(join(whole, "server.json"), "{}", { mode: 0o600 });
});
afterAll(() => rmSync(whole, { recursive: true, force: true }));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function copyOfWhole(): string {
  directory = mkdtempSync(join(tmpdir(), "lectern-test-"));
  cpSync(whole, directory, { recursive: true });
  return directory;
}

/** What is not good, as doctor says it. */
async function wrong(): Promise<Finding[]> {
  const findings = [
    ...checkPlaces(directory),
    examineSecret(directory),
    ...checkDatabases(directory),
    ...checkChanges(directory),
    ...(await checkFiles(directory, false)),
  ];
  return findings.filter(({ state }) => state !== "good");
}

/** Starts and stops; returns the warnings. */
async function start(options: { acceptLoss?: boolean } = {}): Promise<string> {
  let warnings = "";
  const config = loadConfig({ flags: { "data-dir": directory, port: "0", "embed-threads": "1" }, environment: {} });
  const appliance = await openAppliance(
    config,
    createLog({ level: "warn", format: "text", write: (line) => (warnings += line) }),
    options,
  );
  await appliance.close();
  return warnings;
}

const damages = {
  missing: (path: string) => rmSync(path, { recursive: true }),
  empty: (path: string) => replace(path, ""),
  another: (path: string) => replace(path, "0".repeat(64)),
  random: (path: string) =>
    replace(
      path,
      Uint8Array.from({ length: 5000 }, (_, index) => (index * 2_654_435_761) >>> 24),
    ),
  "a folder": (path: string) => {
    rmSync(path, { recursive: true });
    mkdirSync(path, { mode: 0o700 });
  },
  "a file": (path: string) => replace(path, "something"),
  "bit flipped": (path: string) => {
    const bytes = readFileSync(path);
    bytes[Math.floor(bytes.length * 0.6)]! ^= 0x80;
    writeFileSync(path, bytes);
  },
  "header flipped": (path: string) => {
    const bytes = readFileSync(path);
    bytes[100]! ^= 0x80;
    writeFileSync(path, bytes);
  },
};

function replace(path: string, content: string | Uint8Array): void {
  rmSync(path, { recursive: true });
  writeFileSync(path, content, { mode: 0o600 });
}

const STARTS = null;
type Row = [
  name: string,
  damage: keyof typeof damages,
  doctor: [state: "good" | "warning" | "bad", fragment: string],
  start: string | typeof STARTS,
];

const rows: Row[] = [
  [
    "lectern.db",
    "missing",
    ["bad", "is missing or empty, and there are uploaded files beside it"],
    "is older than the documents beside it",
  ],
  ["lectern.db", "empty", ["bad", "is missing or empty"], "is older than the documents beside it"],
  [
    "lectern.db",
    "random",
    ["bad", "cannot be read"],
    "lectern.db cannot be used: file is not a database. `lectern doctor` says more.",
  ],
  [
    "lectern.db",
    "a folder",
    ["bad", "is a folder and should be a file"],
    "lectern.db is a folder and should be a file. Put back the last backup",
  ],
  ["lectern.db", "header flipped", ["bad", "lectern.db"], "lectern.db cannot be used"],
  [
    "access.db",
    "missing",
    ["bad", "is missing or empty, and there are lectern.db beside it"],
    "access.db is missing, or empty, beside documents",
  ],
  ["access.db", "empty", ["bad", "is missing or empty"], "access.db is missing, or empty, beside documents"],
  [
    "access.db",
    "random",
    ["bad", "cannot be read"],
    "access.db cannot be used: file is not a database. `lectern doctor` says more.",
  ],
  [
    "access.db",
    "a folder",
    ["bad", "is a folder and should be a file"],
    "access.db is a folder and should be a file. Put back the last backup",
  ],
  ["access.db", "header flipped", ["bad", "access.db"], "access.db cannot be used"],
  ["access.changes", "missing", ["good", ""], STARTS],
  ["access.changes", "empty", ["warning", "access.changes is damaged"], STARTS],
  ["access.changes", "random", ["warning", "access.changes is damaged"], STARTS],
  ["access.changes", "bit flipped", ["warning", "access.changes is damaged"], STARTS],
  [
    "access.changes",
    "a folder",
    ["bad", "access.changes is a folder and should be a file"],
    "access.changes is a folder and should be a file. Move it away",
  ],
  ["secret", "missing", ["bad", "is missing beside access.db"], "secret is missing, or empty, beside documents"],
  ["secret", "empty", ["bad", "does not hold 64 hexadecimal digits"], "secret is missing, or empty, beside documents"],
  ["secret", "random", ["bad", "does not hold 64 hexadecimal digits"], "Restore it from a backup, or delete it"],
  [
    "secret",
    "another",
    ["bad", "is not the secret by which the tokens and download links of this data directory were signed"],
    "is not the secret by which",
  ],
  ["secret", "bit flipped", ["bad", "does not hold 64 hexadecimal digits"], "Restore it from a backup, or delete it"],
  [
    "secret",
    "a folder",
    ["bad", "is a folder and should be a file"],
    "secret is a folder and should be a file. Put back the last backup",
  ],
  ["boot", "missing", ["good", ""], STARTS],
  ["boot", "empty", ["good", ""], STARTS],
  ["boot", "random", ["good", ""], STARTS],
  ["boot", "bit flipped", ["good", ""], STARTS],
  ["boot", "a folder", ["warning", "boot is a folder and should be a file"], STARTS],
  ["lectern.toml", "missing", ["good", ""], STARTS],
  ["lectern.toml", "empty", ["good", ""], STARTS],
  ["lectern.toml", "random", ["good", ""], "Mend it or move it away: every option has a default"],
  [
    "lectern.toml",
    "a folder",
    ["bad", "lectern.toml is a folder and should be a file"],
    "Mend it or move it away: every option has a default",
  ],
  ["lectern.lock", "missing", ["good", ""], STARTS],
  ["lectern.lock", "random", ["good", ""], STARTS],
  [
    "lectern.lock",
    "a folder",
    ["bad", "lectern.lock is a folder and should be a file"],
    "lectern.lock is a folder and should be a file. Move it away",
  ],
  ["server.json", "missing", ["good", ""], STARTS],
  ["server.json", "random", ["good", ""], STARTS],
  [
    "server.json",
    "a folder",
    ["bad", "server.json is a folder and should be a file"],
    "server.json is a folder and should be a file. Move it away",
  ],
  ["files", "missing", ["bad", "2 stored files are missing: "], STARTS],
  [
    "files",
    "a file",
    ["bad", "files is a file and should be a folder"],
    "files is a file and should be a folder. Put back the last backup",
  ],
  ["staging", "missing", ["good", ""], STARTS],
  [
    "staging",
    "a file",
    ["bad", "staging is a file and should be a folder"],
    "staging is a file and should be a folder. Move it away",
  ],
  ["indexes", "missing", ["good", ""], STARTS],
  [
    "indexes",
    "a file",
    ["bad", "indexes is a file and should be a folder"],
    "indexes is a file and should be a folder. Move it away",
  ],
  ["models", "missing", ["good", ""], STARTS],
  ["models", "a file", ["warning", "models is a file and should be a folder"], STARTS],
];

test("a whole data directory has nothing wrong", async () => {
  copyOfWhole();
  expect(await wrong()).toEqual([]);
  await start();
  expect(await wrong()).toEqual([]);
});

describe.each(rows)("%s: %s", (name, damage, [state, fragment], started) => {
  test(`doctor says ${state === "good" ? "nothing" : `${state}: ${fragment}`}`, async () => {
    damages[damage](join(copyOfWhole(), name));
    const findings = await wrong();
    if (state === "good") return expect(findings).toEqual([]);
    const found = findings.find(({ sentence }) => sentence.includes(fragment));
    expect([found?.state, found?.sentence.includes(directory) && found.sentence.includes(name)]).toEqual([state, true]);
    expect(found?.mend).not.toBeNull();
    // Nothing is blamed on another file.
    expect(
      findings.filter(({ sentence }) => !sentence.includes(join(directory, name)) && !sentence.includes(`${name}/`)),
    ).toEqual([]);
  });

  test(started === STARTS ? "a start goes on" : `a start is refused: ${started}`, async () => {
    damages[damage](join(copyOfWhole(), name));
    if (started === STARTS) return void (await start());
    const { name: kind, message } = await failureOf(start());
    expect([kind, message]).toEqual(["LecternError", expect.stringContaining(started)] as never);
    expect(message).toContain(join(directory, name));
  });
});

describe("an access.db of before the last changes", () => {
  /** Two customers were made since; and the right one, which can be put back. */
  async function putOlderBack(): Promise<{ putRightBack(): void }> {
    const place = copyOfWhole();
    const names = ["access.db", "access.db-wal"].map((name) => join(place, name));
    const older = names.map((name) => (existsSync(name) ? readFileSync(name) : null));
    for (const label of ["first", "second"])
      expect((await lectern(["customer", "create", label, "--data-dir", place])).code).toBe(0);
    const right = names.map((name) => (existsSync(name) ? readFileSync(name) : null));
    const put = (contents: (Buffer | null)[]) =>
      names.forEach((name, index) => {
        rmSync(name, { force: true });
        if (contents[index] !== null) writeFileSync(name, contents[index]!, { mode: 0o600 });
      });
    put(older);
    return { putRightBack: () => put(right) };
  }
  const fragment = "lacks the last 2 changes of customers, keys and credits";

  test("is found by doctor, and not served until it is put right", async () => {
    const { putRightBack } = await putOlderBack();
    expect(await wrong()).toEqual([
      expect.objectContaining({
        state: "bad",
        sentence: expect.stringContaining(fragment),
        mend: expect.stringContaining("--accept-loss"),
      }),
    ] as never);
    expect((await failureOf(start())).message).toContain(fragment);
    putRightBack();
    expect(await wrong()).toEqual([]);
    await start();
  });

  test("is not worked on by commands, whose changes would hide it", async () => {
    await putOlderBack();
    for (const words of [
      ["key", "list"],
      ["customer", "create", "new"],
      ["customer", "list"],
    ]) {
      const { code, stderr } = await lectern([...words, "--data-dir", directory]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(fragment)] as never);
    }
  });

  test("is served when the loss is accepted, and nothing is wrong with it then", async () => {
    await putOlderBack();
    expect(await start({ acceptLoss: true })).toContain("Went on with an access.db that is not the last one");
    expect(await wrong()).toEqual([]);
    expect(await start()).toBe("");
  });

  test("that an earlier Lectern used last is found by doctor too", async () => {
    const place = copyOfWhole();
    using database = new Database(join(place, "access.db"));
    database.run("DROP TABLE operatorChanges");
    database.run(
      "DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)",
    );
    expect(
      (await wrong()).map(({ state, sentence }) => [state, sentence.includes("access.db is not the last one")]),
    ).toContainEqual(["bad", true]);
  });
});

/** What no page shows: tables that do not agree. */
const disagreements: [what: string, statement: string, fragment: string][] = [
  [
    "a dataset that counts one file too many",
    "UPDATE datasets SET fileCount = fileCount + 1",
    "1 datasets count other files or passages than they have",
  ],
  ["a file without its dataset", "DELETE FROM datasets", "2 files belong to no dataset"],
  ["a passage that is gone", "DELETE FROM chunks WHERE id = 1", "1 files lack passages"],
  [
    "a passage of no file",
    "INSERT INTO chunks (id, fileRow, text) VALUES (999, 77, 'x')",
    "1 more passages are stored than files have",
  ],
  ["a vector that is gone", "DELETE FROM vectors WHERE chunkId = 1", "1 files lack vectors"],
  ["words that are gone", "DELETE FROM chunkTokens WHERE chunkId = 1", "1 files lack words"],
  [
    "words that are stored twice",
    "INSERT INTO chunkTerms SELECT * FROM chunkTokens WHERE chunkId = 1",
    "1 passages have their words twice",
  ],
  [
    "metadata that filters do not see",
    "DELETE FROM fileAttributes WHERE fileRow = 1",
    "(1 fields missing, 0 too many)",
  ],
  [
    "metadata that only filters see",
    "INSERT INTO fileAttributes SELECT datasetId, 'x', value, fileRow, firstChunkId, lastChunkId FROM fileAttributes WHERE fileRow = 1",
    "(0 fields missing, 1 too many)",
  ],
  [
    "documents of a customer that is not there",
    "UPDATE datasets SET customerId = 'nobody'",
    "1 customers have documents in ",
  ],
];

describe.each(disagreements)("%s", (_what, statement, fragment) => {
  test("is found by doctor", async () => {
    using database = new Database(join(copyOfWhole(), "lectern.db"));
    database.run(statement);
    expect((await wrong()).map(({ state, sentence }) => [state, sentence.includes(fragment)])).toContainEqual([
      "bad",
      true,
    ]);
  });
});

test("doctor and compact on the command line", async () => {
  const place = copyOfWhole();
  using database = new Database(join(place, "lectern.db"));
  database.run("PRAGMA auto_vacuum = NONE");
  database.run("VACUUM");
  const run = (...words: string[]) => lectern([...words, "--data-dir", place]);
  expect((await run("doctor")).stdout).toContain("lectern.db was made by an earlier version: it keeps its size");
  const { code, stdout } = await run("compact");
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/lectern\.db is written anew: .* MiB before, .* MiB now\./),
  ] as never);
  expect((await run("doctor")).stdout).toEndWith("Nothing is wrong.\n");

  rmSync(join(place, "secret"));
  expect((await run("doctor")).code).toBe(1);
  rmSync(join(place, "lectern.db"));
  expect((await run("compact")).stderr).toContain("There are no documents");
});
