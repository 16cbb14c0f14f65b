/** `lectern doctor --repair`: what can be kept is kept, what is lost is named, a second run finds nothing, and whatever interrupts it is made up for. */
import { Database } from "bun:sqlite";
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { openAppliance } from "../../src/appliance/index.ts";
import { repair as repairDirectory } from "../../src/cli/doctor/repair.ts";
import { createLog } from "../../src/foundation/log.ts";
import { search } from "../../src/operations/search.ts";
import { loadConfig } from "../../src/options/config.ts";
import { CHECKPOINT_FORMAT } from "../../src/search/vectors/checkpoint-file.ts";
import { program, testWith } from "../requirements.ts";
import { answering, lectern, serve, spawnLectern, temporaryFolder } from "./lectern.ts";

setDefaultTimeout(120_000);

const folder = temporaryFolder();
const documents = join(folder.path, "documents");
const pristine = join(folder.path, "pristine");
const at = (name: string): string => join(folder.dataDirectory, name);
const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
const repair = (...words: string[]) => run("doctor", "--repair", ...words);
let key = "";
afterAll(() => folder.remove());

beforeEach(async () => {
  if (!existsSync(pristine)) {
    mkdirSync(documents);
    for (const name of ["bicycles", "trains", "boats"])
      writeFileSync(join(documents, `${name}.txt`), `A document about ${name}. `.repeat(40));
    await run("customer", "create", "acme", "--credits", "10");
    await run("customer", "create", "beta", "--credits", "unlimited");
    key = (await run("key", "create", "--customer", "acme", "--json")).json().apiKey;
    expect((await run("ingest", documents, "--dataset", "d", "--customer", "acme")).code).toBe(0);
    cpSync(folder.dataDirectory, pristine, { recursive: true });
  }
  rmSync(folder.dataDirectory, { recursive: true, force: true });
  cpSync(pristine, folder.dataDirectory, { recursive: true });
});

const DOCUMENTS = ["bicycles", "boats", "trains"];

/** The stored file of a document. */
function stored(name: string): string {
  using database = new Database(join(pristine, "lectern.db"));
  const { storagePath } = database
    .query<{ storagePath: string }, [string]>("SELECT storagePath FROM files WHERE originalName = ?")
    .get(`${name}.txt`)!;
  return storagePath;
}

const config = () => loadConfig({ flags: { "data-dir": folder.dataDirectory, "embed-threads": "1" }, environment: {} });

interface Report {
  readonly steps: string[];
  readonly lost: { kind: string; id: string | null; name: string | null; sentence: string }[];
  readonly keptIn: string | null;
  readonly wrong: unknown[];
}

/** `doctor --repair --deep --yes --json` in this process: what it prints, and its exit code. */
async function mend(): Promise<{ code: number; report: Report }> {
  const printed = spyOn(process.stdout, "write").mockImplementation(() => true);
  try {
    const code = await repairDirectory(config(), { deep: true, dryRun: false, yes: "true" }, true);
    return { code, report: JSON.parse(printed.mock.calls.map(([text]) => text).join("")) };
  } finally {
    printed.mockRestore();
  }
}

/** Names of the documents that are found with the customer's key. */
async function found(): Promise<string[]> {
  const appliance = await openAppliance(config(), createLog({ level: "silent", format: "text", write: () => {} }));
  try {
    const { customerId } = (await appliance.access.identify(key))!;
    const hits = await search(appliance, {
      customerId,
      datasetId: "d",
      question: "Which documents are there?",
      filters: [],
      limit: null,
      minScore: 0,
      highlights: false,
      explain: false,
    });
    return [...new Set(hits.map(({ metadata }) => String(metadata.originalName).replace(".txt", "")))].sort();
  } finally {
    await appliance.close();
  }
}

function overwrite(name: string, from: number, bytes: number): void {
  const content = readFileSync(at(name));
  content.fill(0xa7, from, from + bytes);
  writeFileSync(at(name), content);
}

function removeWithLog(name: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(at(name + ending), { force: true });
}

function statement(database: string, sql: string): void {
  using opened = new Database(at(database));
  opened.run(sql);
}

function instead(name: string, make: (path: string) => void): void {
  rmSync(at(name), { recursive: true, force: true });
  make(at(name));
}

interface Damage {
  readonly what: string;
  readonly damage: () => void;
  /** In the plan. */
  readonly says: RegExp;
  /** Kinds of what is lost, with the name of each file. */
  readonly lost?: readonly string[];
  /** Documents that are found afterwards; all, unless it says. */
  readonly kept?: readonly string[];
  /** What lies in the folder afterwards. */
  readonly aside?: string;
}

const damages: readonly Damage[] = [
  {
    what: "a documents' database without its first page",
    damage: () => overwrite("lectern.db", 0, 4096),
    says: /lectern\.db cannot be read.*made anew: 0 files.*3 stored files that no database knows: indexed again/s,
    aside: "lectern.db",
  },
  {
    what: "a documents' database that was cut short",
    damage: () => truncateSync(at("lectern.db"), 20 * 16_384),
    says: /lectern\.db .*The database is made anew/s,
    aside: "lectern.db",
  },
  {
    what: "a documents' database with a damaged index",
    damage: () => overwriteRoot("lectern.db", "files_dataset", 16_384),
    says: /lectern\.db .*made anew: 3 files in it as before/s,
    aside: "lectern.db",
  },
  {
    what: "a documents' database of which the files' table is damaged",
    damage: () => overwriteRoot("lectern.db", "files", 16_384),
    says: /made anew: 0 files.*indexed again/s,
  },
  {
    what: "no documents' database",
    damage: () => removeWithLog("lectern.db"),
    says: /is missing or empty.*indexed again/s,
  },
  {
    what: "a passage that is gone",
    damage: () => statement("lectern.db", "DELETE FROM chunks WHERE id = 2"),
    says: /files lack passages.*1 stored file that no database knows: indexed again/s,
    aside: "lectern.db",
  },
  {
    what: "words and a vector that are gone",
    damage: () => {
      statement("lectern.db", "DELETE FROM vectors WHERE chunkId = 1");
      statement("lectern.db", "DELETE FROM chunkTokens WHERE chunkId = 1");
    },
    says: /files lack vectors.*indexed again/s,
  },
  {
    what: "a dataset that counts wrongly",
    damage: () => statement("lectern.db", "UPDATE datasets SET fileCount = 7"),
    says: /count other files or passages.*3 files in it as before/s,
  },
  {
    what: "metadata that filters do not see",
    damage: () =>
      statement("lectern.db", "INSERT INTO fileAttributes SELECT datasetId, '\"x\"', '1', id, 1, 1 FROM files"),
    says: /filters look at other metadata.*3 files in it as before/s,
  },
  {
    what: "a stored file that is gone",
    damage: () => rmSync(at(stored("boats"))),
    says: /"boats\.txt" of "acme", in the dataset "d"\. Its bytes are gone/,
    lost: ["file boats.txt"],
    kept: ["bicycles", "trains"],
    aside: "lectern.db",
  },
  {
    what: "a stored file that was cut short",
    damage: () => truncateSync(at(stored("boats")), 5),
    says: /"boats\.txt".*Its bytes are not those that were uploaded/,
    lost: ["file boats.txt"],
    kept: ["bicycles", "trains"],
    aside: "files",
  },
  {
    what: "a row of a file that was deleted, in an older database that is damaged as well",
    damage: () => {
      const path = stored("boats");
      writeFileSync(at("files/deletions"), `\n${new Date().toISOString()} ${path.slice(-36)}`, { mode: 0o600 });
      for (const ending of ["", ".json"]) rmSync(at(path + ending));
      statement("lectern.db", "UPDATE datasets SET fileCount = 7");
    },
    says: /made anew: 2 files in it as before/,
    kept: ["bicycles", "trains"],
  },
  {
    what: "a record that is damaged",
    damage: () => writeFileSync(at(`${stored("boats")}.json`), "{"),
    says: /1 stored file without a readable record beside: the record is written again/,
  },
  {
    what: "a folder in the place of a record",
    damage: () => instead(`${stored("boats")}.json`, (path) => mkdirSync(path)),
    says: /1 stored file without a readable record beside: the record is written again/,
    aside: "files",
  },
  {
    what: "a record that is damaged, and no row of its file",
    damage: () => {
      writeFileSync(at(`${stored("boats")}.json`), "{");
      removeWithLog("lectern.db");
    },
    says: /Neither a database nor a record beside its bytes says whose it is; the bytes are kept/,
    lost: ["file null"],
    kept: ["bicycles", "trains"],
    aside: "files",
  },
  {
    what: "no customers' database",
    damage: () => removeWithLog("access.db"),
    says: /"acme" is made again without credits.*All API keys/s,
    lost: ["customer acme", "key null"],
    kept: [],
  },
  {
    what: "a customers' database without its first page",
    damage: () => overwrite("access.db", 0, 1024),
    says: /access\.db cannot be read.*made anew: 2 customers and 1 key in it as before/s,
    aside: "access.db",
  },
  {
    what: "a customers' database in which the keys are damaged",
    damage: () => overwriteRoot("access.db", "apiKeys", 1024),
    says: /key: API key key_[\w-]{12}\. Make another/,
    lost: ["key"],
    kept: [],
    aside: "access.db",
  },
  {
    what: "a customers' database in which the customers are damaged",
    damage: () => overwriteRoot("access.db", "customers", 1024),
    says: /"acme" is made again without credits/,
    lost: ["customer acme"],
    kept: [],
  },
  {
    what: "no secret",
    damage: () => rmSync(at("secret")),
    says: /secret is missing.*Another one is made.*All frontend tokens and download links/s,
    lost: ["tokens null"],
  },
  {
    what: "a damaged secret",
    damage: () => writeFileSync(at("secret"), "x"),
    says: /secret does not hold 64 hexadecimal digits.*Another one is made/s,
    lost: ["tokens null"],
    aside: "secret",
  },
  {
    what: "a number of changes that is damaged",
    damage: () => writeFileSync(at("access.changes"), "x"),
    says: /access\.changes is damaged.*It is written again/s,
  },
  {
    what: "an index that is damaged",
    damage: () => {
      mkdirSync(at("indexes/1"), { recursive: true, mode: 0o700 });
      writeFileSync(at("indexes/1/checkpoint"), `${CHECKPOINT_FORMAT} 0123456789abcdef\nsomething else`);
    },
    says: /indexes\/1 is damaged\. It is made again from the database/,
    aside: "indexes",
  },
  {
    what: "a folder in the place of the log",
    damage: () => instead("lectern.db-wal", (path) => mkdirSync(path)),
    says: /lectern\.db-wal is a folder and should be a file\. It is set aside/,
    aside: "lectern.db-wal",
  },
  {
    what: "a link in the place of the lock",
    damage: () => instead("lectern.lock", (path) => symlinkSync(at("secret"), path)),
    says: /lectern\.lock is .* should be a file\. It is set aside/,
    aside: "lectern.lock",
  },
  {
    what: "a file in the place of staging",
    damage: () => instead("staging", (path) => writeFileSync(path, "")),
    says: /staging is a file and should be a folder\. It is set aside/,
    aside: "staging",
  },
  {
    what: "a folder in the place of the documents' database",
    damage: () => instead("lectern.db", (path) => mkdirSync(path)),
    says: /lectern\.db is a folder and should be a file.*3 stored files that no database knows: indexed again/s,
    aside: "lectern.db",
  },
  {
    what: "a secret that others may read",
    damage: () => chmodSync(at("secret"), 0o644),
    says: /Other users of this machine may look into .*secret\. It is made private/,
  },
];

/** The page where a table or an index begins. */
function overwriteRoot(name: string, table: string, pageBytes: number): void {
  const database = new Database(at(name));
  const { rootpage } = database
    .query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_schema WHERE name = ?")
    .get(table)!;
  database.close();
  overwrite(name, (rootpage - 1) * pageBytes, pageBytes);
}

describe.each(damages)("$what", ({ damage, says, lost = [], kept = DOCUMENTS, aside }) => {
  test("is mended", async () => {
    damage();
    const { code, report } = await mend();
    expect([...report.steps, ...report.lost.map(({ kind, sentence }) => `${kind}: ${sentence}`)].join("\n")).toMatch(
      says,
    );
    expect([report.wrong, code]).toEqual([[], 0]);
    const named = report.lost.map(({ kind, id, name }) => (kind === "file" ? `file ${name}` : `${kind} ${id}`));
    expect(named).toEqual(lost.map((start) => expect.stringMatching(new RegExp(`^${start}`))) as never);
    if (aside !== undefined) expect(existsSync(join(report.keptIn!, aside))).toBe(true);
    if (report.keptIn !== null) expect(statSync(report.keptIn).mode & 0o777).toBe(0o700);
    expect(await mend()).toMatchObject({ code: 0, report: { steps: [], lost: [], keptIn: null, wrong: [] } });
    if (kept.length > 0) expect(await found()).toEqual([...kept]);
  });
});

/** Paths below the data directory, with what they hold. */
function contents(): Record<string, string> {
  const files = readdirSync(folder.dataDirectory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [
        relative(folder.dataDirectory, path),
        new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex"),
      ];
    }),
  );
}

describe("beforehand", () => {
  test("a whole data directory has nothing to mend, and stays as it is", async () => {
    const { "lectern.lock": _, ...before } = contents();
    expect(await repair("--yes")).toMatchObject({ code: 0, stdout: "There is nothing to mend.\n" });
    expect(await repair("--dry-run", "--json")).toMatchObject({ code: 0 });
    const { "lectern.lock": _lock, ...after } = contents();
    expect(after).toEqual(before);
  });

  test("--dry-run changes nothing", async () => {
    overwrite("access.db", 0, 1024);
    rmSync(at(stored("boats")));
    const { "lectern.lock": _, ...before } = contents();
    const dry = await repair("--dry-run", "--json");
    expect([dry.code, dry.json()]).toMatchObject([
      1,
      { dryRun: true, lost: [{ kind: "file", name: "boats.txt" }] },
    ] as never);
    const { "lectern.lock": _lock, ...after } = contents();
    expect(after).toEqual(before);
  });

  testWith(program("script"))("it asks, and does nothing unless the answer is yes", async () => {
    rmSync(at(stored("boats")));
    const words = ["doctor", "--repair", "--data-dir", folder.dataDirectory];
    const no = await answering("n", words);
    expect([no.code, no.output]).toEqual([1, expect.stringContaining("Nothing was changed.")] as never);
    expect(existsSync(at("before-repair"))).toBe(false);
    expect(await answering("y", words)).toMatchObject({ code: 0, output: expect.stringContaining("Mended.") });
  });

  const refusals: [words: string[], code: number, sentence: string][] = [
    [["--repair"], 2, "This changes the data directory, and there is no terminal to ask on. Give --yes."],
    [["--repair", "--adopt"], 2, "--repair does what --adopt does as well"],
    [["--dry-run"], 2, "--dry-run and --yes belong to --repair."],
  ];
  test.each(refusals)("doctor %p is answered with %d", async (words, code, sentence) => {
    expect(await run("doctor", ...words)).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
  });

  test("it is refused while a server runs", async () => {
    const server = await serve(folder.dataDirectory);
    for (const words of [["--yes"], ["--dry-run"]])
      expect(await repair(...words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Stop it, then try again."),
      });
    await server.stop();
  });
});

describe("interrupted", () => {
  test("between its moves, nothing else works in the directory until the next one has taken them back", async () => {
    cpSync(at("lectern.db"), at("kept.db"));
    overwrite("lectern.db", 0, 4096);
    const name = "before-repair/earlier";
    mkdirSync(at(name), { recursive: true, mode: 0o700 });
    cpSync(at("lectern.db"), at(`${name}/lectern.db`));
    rmSync(at("lectern.db"));
    writeFileSync(
      at("repair.unfinished"),
      JSON.stringify([
        { from: "lectern.db", to: `${name}/lectern.db` },
        { from: `${name}/new/lectern.db`, to: "lectern.db" },
      ]),
    );
    for (const words of [
      ["serve", "--port", "0"],
      ["key", "list"],
      ["doctor", "--adopt"],
    ])
      expect(await run(...words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Run `lectern doctor --repair` or `lectern restore` again"),
      });
    expect((await repair("--dry-run")).stdout).toContain("was interrupted");
    expect(await repair("--yes")).toMatchObject({ code: 0, stderr: expect.stringContaining("is taken back") });
    expect(await found()).toEqual(DOCUMENTS);
    expect(existsSync(at("repair.unfinished"))).toBe(false);
  });

  test("by kill -9 at whatever moment, the next one makes up for it", async () => {
    for (const milliseconds of [300, 600, 1000, 1500]) {
      rmSync(folder.dataDirectory, { recursive: true });
      cpSync(pristine, folder.dataDirectory, { recursive: true });
      overwriteRoot("lectern.db", "files", 16_384);
      overwrite("access.db", 0, 1024);
      const killed = spawnLectern(["doctor", "--repair", "--yes", "--data-dir", folder.dataDirectory]);
      await Bun.sleep(milliseconds);
      killed.process.kill("SIGKILL");
      await killed.result;
      expect(await mend()).toMatchObject({ code: 0, report: { lost: [], wrong: [] } });
      expect(await found()).toEqual(DOCUMENTS);
    }
  });
});
