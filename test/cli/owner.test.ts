/** Whose a data directory is: its owner's alone works with it, and what another has left there stops nobody. */
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { userName } from "../../src/data-directory/owner.ts";
import { describeWith, superuser, type Requirement } from "../requirements.ts";
import { lectern, post, temporaryFolder } from "./lectern.ts";

const NOBODY = 65_534;
const main = join(import.meta.dir, "../../src/main.ts");
/** Words to put before a command so that it runs as nobody. */
const asNobody = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
/** This Bun where nobody too may start it, again and again: it may have come by a cache in the superuser's home. */
const publicFolder = mkdtempSync(join(tmpdir(), "lectern-bun-"));
const bun = join(publicFolder, "bun");
chmodSync(publicFolder, 0o755);
copyFileSync(process.execPath, bun, constants.COPYFILE_FICLONE);
chmodSync(bun, 0o755);
afterAll(() => rmSync(publicFolder, { recursive: true }));
// Only the superuser can be two users. The shell between: what setpriv starts itself still has the superuser's reach.
const beingNobody: Requirement = {
  isMet:
    superuser.isMet &&
    Bun.which("setpriv") !== null &&
    Bun.spawnSync([...asNobody, "sh", "-c", 'exec "$@"', "sh", bun, main, "version"]).exitCode === 0,
  what: "a superuser who may become another user by setpriv",
};

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test("users are called by their names, and by their numbers where they have none", () => {
  expect(userName(0)).toBe("root");
  expect(userName(3_999_999)).toBe("#3999999");
});

describeWith(beingNobody)("a data directory that belongs to another user", () => {
  const nobody = userName(NOBODY);
  const environment = { PATH: process.env.PATH!, HOME: "/nonexistent" };
  const runAsNobody = (words: string[]) =>
    Bun.spawnSync([...asNobody, bun, main, ...words, "--data-dir", folder.dataDirectory], { env: environment });
  /** Everything in the data directory, with its owner. */
  const owners = (path = folder.dataDirectory): [string, number][] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const inside = join(path, entry.name);
      return [[inside, lstatSync(inside).uid], ...(entry.isDirectory() ? owners(inside) : [])] as [string, number][];
    });

  beforeEach(() => {
    chownSync(folder.path, NOBODY, NOBODY);
    expect(runAsNobody(["customer", "create", "acme", "--credits", "unlimited"]).exitCode).toBe(0);
  });

  const commands: string[][] = [
    ["serve", "--port", "0"],
    ["ingest", main, "--dataset", "d"],
    ["search", "q", "--dataset", "d"],
    ["customer", "create", "x"],
    ["customer", "list"],
    ["key", "create", "--customer", "acme"],
    ["credits", "add", "1", "--customer", "acme"],
    ["model", "use", "default"],
    ["model", "add", "/nowhere"],
    ["model", "verify"],
  ];
  for (const words of commands) {
    test(`refuses ${words.slice(0, 2).join(" ")}, names its owner, and is left as it was`, async () => {
      const before = owners();
      const refused = await lectern([...words, "--data-dir", folder.dataDirectory]);
      expect(refused.stderr).toBe(
        `lectern: The data directory ${folder.dataDirectory} belongs to ${nobody}, and this is root: what one makes there, the other cannot use. Run this as its owner: sudo -u ${nobody} lectern …\n`,
      );
      expect(refused.code).toBe(1);
      expect(owners()).toEqual(before);
    });
  }

  test("one that another user cannot look into is told as that, with its owner and who asks", () => {
    const closed = join(folder.path, "closed");
    mkdirSync(closed, { mode: 0o700 });
    const told = Bun.spawnSync([...asNobody, bun, main, "customer", "list", "--data-dir", join(closed, "data")], {
      env: environment,
    });
    expect(told.stderr.toString()).toMatch(
      new RegExp(
        `^lectern: ${closed}/data\\S* cannot be used: ${closed} belongs to root, and this user, ${nobody}, may not use it\\.\n$`,
      ),
    );
  });

  test("a file of another user that ingest may not read is told with its owner", () => {
    const notes = join(folder.path, "notes");
    mkdirSync(notes, { mode: 0o755 });
    writeFileSync(join(notes, "a.md"), "text", { mode: 0o600 });
    mkdirSync(join(notes, "sub"), { mode: 0o700 });
    const told = runAsNobody(["ingest", notes, "--dataset", "d", "--json"]);
    expect(JSON.parse(told.stdout.toString()).failed).toEqual([
      {
        path: join(notes, "a.md"),
        sentence: `${join(notes, "a.md")} cannot be used: it belongs to root, and this user, ${nobody}, may not use it.`,
      },
      { path: join(notes, "sub"), sentence: `It belongs to root, and this user, ${nobody}, may not use it.` },
    ]);
  });

  test("an empty one, made for a service that has not started yet, is refused just so", async () => {
    mkdirSync(join(folder.path, "empty"));
    chownSync(join(folder.path, "empty"), NOBODY, NOBODY);
    const refused = await lectern(["customer", "create", "x", "--data-dir", join(folder.path, "empty")]);
    expect(refused.stderr).toContain(`sudo -u ${nobody} lectern`);
    expect(readdirSync(join(folder.path, "empty"))).toEqual([]);
  });

  test("does not keep a command from a server elsewhere", async () => {
    const refused = await lectern([
      "search",
      "q",
      "--dataset",
      "d",
      "--url",
      "http://127.0.0.1:1",
      "--key",
      "k",
      "--data-dir",
      folder.dataDirectory,
    ]);
    expect(refused.stderr).not.toContain("belongs to");
  });

  test("doctor looks all the same, says whose it is, and leaves nothing of its own", async () => {
    expect(runAsNobody(["dataset", "list"]).exitCode).toBe(0);
    const looked = await lectern(["doctor", "--json", "--data-dir", folder.dataDirectory]);
    expect(looked.code).toBe(0);
    expect(looked.json()).toContainEqual(
      expect.objectContaining({
        subject: "user",
        state: "warning",
        sentence: expect.stringContaining(`belongs to ${nobody}`),
      }),
    );
    expect(owners().filter(([, owner]) => owner !== NOBODY)).toEqual([]);
  });

  test("doctor names what others have left in it, and how to give it back", async () => {
    mkdirSync(join(folder.dataDirectory, "indexes"), { mode: 0o700 });
    const looked = await lectern(["doctor", "--json", "--data-dir", folder.dataDirectory]);
    expect(looked.code).toBe(1);
    expect(looked.json()).toContainEqual(
      expect.objectContaining({
        state: "bad",
        sentence: expect.stringContaining(join(folder.dataDirectory, "indexes")),
        mend: `chown -R ${NOBODY} ${folder.dataDirectory}`,
      }),
    );
  });

  test("indexes that its owner may not read keep no server from starting and no search from its answer", async () => {
    mkdirSync(join(folder.dataDirectory, "indexes/1"), { recursive: true, mode: 0o700 });
    const child = Bun.spawn(
      [
        ...asNobody,
        bun,
        main,
        "serve",
        "--port",
        "0",
        "--json",
        "--search-threads",
        "1",
        "--data-dir",
        folder.dataDirectory,
      ],
      { env: environment, stdout: "pipe", stderr: "pipe" },
    );
    const log = new Response(child.stderr).text();
    try {
      const [line = ""] = new TextDecoder().decode((await child.stdout.getReader().read()).value).split("\n");
      const { url } = JSON.parse(line) as { url: string };
      const { apiKey } = JSON.parse(runAsNobody(["key", "create", "--customer", "acme"]).stdout.toString());
      const ingested = runAsNobody([
        "ingest",
        join(import.meta.dir, "../../samples/bicycle-maintenance.md"),
        "--dataset",
        "d",
        "--customer",
        "acme",
      ]);
      expect([ingested.exitCode, ingested.stderr.toString()]).toEqual([0, expect.any(String)]);
      const found = await post({ url }, "/v1/search", apiKey, { datasetId: "d", question: "How is the chain oiled?" });
      expect(found.status).toBe(200);
      expect(((await found.json()) as { data: unknown[] }).data.length).toBeGreaterThan(0);
    } finally {
      child.kill();
    }
    expect(await child.exited).toBe(0);
    // That of the vectors and that of the words.
    expect((await log).match(/A saved index cannot be used/g)).toHaveLength(2);
    expect(readFileSync(join(folder.dataDirectory, "lectern.lock"), "utf8")).toContain(String(child.pid));
  });
});
