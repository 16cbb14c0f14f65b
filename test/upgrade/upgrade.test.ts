/** Data directories that earlier versions wrote open in this one: nothing is lost, searches find the same, and `doctor` finds nothing wrong. */
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { TRANSIENT, treeOf } from "../backup/directory.ts";
import { lectern, post, serve, temporaryFolder, type Server } from "../cli/lectern.ts";
import { until, uploadForm } from "../harness.ts";
import type { Expected } from "./expected.ts";

setDefaultTimeout(60_000);

const MOST_BYTES = 160_000;
const ENDING = ".tar.zst";
const archives = readdirSync(import.meta.dir).filter((name) => name.endsWith(ENDING));
const folder = temporaryFolder();
afterAll(() => folder.remove());

/** A copy of its own. */
function unpack(archive: string): { dataDirectory: string; expected: Expected } {
  const dataDirectory = join(folder.path, `${archive}-${crypto.randomUUID()}`);
  mkdirSync(dataDirectory, { mode: 0o700 });
  const packed = readFileSync(join(import.meta.dir, archive));
  const { exitCode, stderr } = Bun.spawnSync(["tar", "-C", dataDirectory, "-xf", "-"], {
    stdin: Bun.zstdDecompressSync(packed),
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  const path = join(dataDirectory, "expected.json");
  const expected = JSON.parse(readFileSync(path, "utf8")) as Expected;
  rmSync(path);
  return { dataDirectory, expected };
}

/** Indexes that are there are opened: the options as they were when these were made. */
const environmentFor = (dataDirectory: string): Record<string, string> =>
  existsSync(join(dataDirectory, "indexes")) ? { LECTERN_EXACT_LIMIT: "0", LECTERN_GRAPH_LIMIT: "5" } : {};

const get = (server: Server, path: string, apiKey: string): Promise<Response> =>
  fetch(server.url + path, { headers: { authorization: `Bearer ${apiKey}` } });

test("there are some, small ones, one of them with its indexes", () => {
  expect(archives.length).toBeGreaterThanOrEqual(4);
  for (const archive of archives) expect(statSync(join(import.meta.dir, archive)).size).toBeLessThan(MOST_BYTES);
  expect(archives.filter((archive) => existsSync(join(unpack(archive).dataDirectory, "indexes")))).not.toBeEmpty();
});

describe.each(archives)("%s", (archive) => {
  test("opens, keeps every file, finds the same, goes on, and has nothing wrong then", async () => {
    const { dataDirectory, expected } = unpack(archive);
    const { keys } = expected;
    const before = await lectern(["doctor", "--data-dir", dataDirectory]);
    expect([before.code, before.stdout]).toEqual([0, expect.stringContaining("Nothing is wrong.")] as never);

    const server = await serve(dataDirectory, [], environmentFor(dataDirectory));
    for (const { customer, datasetId, question, passages } of expected.searches) {
      const search = () => post(server, "/v1/search", keys[customer]!, { datasetId, question });
      // A dataset of another model is embedded anew first.
      await until(async () => (await search()).status === 200, 30_000);
      const { data } = (await (await search()).json()) as {
        data: { pageContent: string; metadata: { fileId: string; chunkIndex: number } }[];
      };
      const found = data.map(({ pageContent, metadata: { fileId, chunkIndex } }) => ({
        fileId,
        chunkIndex,
        text: pageContent,
      }));
      // Which passage of a file comes first may be judged better by now.
      expect(found[0]!.fileId).toBe(passages[0]!.fileId);
      const byPlace = (of: readonly Expected["searches"][number]["passages"][number][]) =>
        of.map(({ fileId, chunkIndex, text }) => `${fileId} ${chunkIndex} ${text}`).sort();
      expect(byPlace(found)).toEqual(byPlace(passages));
    }
    for (const { customer, fileId, sha256, file } of expected.files) {
      const details = await get(server, `/v1/files/${fileId}`, keys[customer]!);
      const { files } = (await details.json()) as { files: [{ permanentUrl: string }] };
      expect(files[0]).toMatchObject(file);
      const bytes = await (await fetch(files[0].permanentUrl)).bytes();
      expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(sha256);
    }
    const upload = await fetch(`${server.url}/v1/files/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${keys.acme}` },
      body: uploadForm({ datasetId: "letters" }, { "harbour.txt": "The harbour is closed on Sundays." }),
    });
    expect(upload.status).toBe(200);
    const answer = await post(server, "/v1/search", keys.acme!, { datasetId: "letters", question: "closed harbour" });
    expect(await answer.text()).toContain("harbour.txt");
    expect(await server.stop()).toBe(0);

    const after = await lectern(["doctor", "--deep", "--json", "--data-dir", dataDirectory]);
    expect((after.json() as Finding[]).filter(({ state }) => state !== "good")).toEqual([]);
    expect(after.code).toBe(0);
  });
});

test.each(archives)("%s is backed up and restored as it is", async (archive) => {
  const { dataDirectory } = unpack(archive);
  const [backup, restored] = [`${dataDirectory}-backup`, `${dataDirectory}-restored`];
  for (const words of [
    ["backup", backup, "--data-dir", dataDirectory],
    ["restore", backup, "--data-dir", restored],
  ])
    expect((await lectern(words)).code).toBe(0);
  // The databases were at rest, so that not even their pages differ.
  expect(treeOf(restored, ["audit.log"])).toEqual(treeOf(dataDirectory, [...TRANSIENT, "audit.log"]));
});

describe.each(["lectern.db", "access.db"])("a %s of a newer version", (name) => {
  const newest = archives.toSorted().at(-1)!;
  const commands: [words: string[], code: number][] = [
    [["serve", "--port", "0"], 1],
    [["doctor", "--repair", "--yes"], 1],
    [["doctor", "--adopt"], 1],
  ];
  test.each(commands)("is refused with a sentence by %p, and left as it is", async (words, code) => {
    const { dataDirectory } = unpack(newest);
    const path = join(dataDirectory, name);
    const database = new Database(path);
    database.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)");
    database.close();
    const result = await lectern([...words, "--data-dir", dataDirectory]);
    expect([result.code, result.stderr]).toEqual([
      code,
      expect.stringContaining(`${path} was written by a newer version of Lectern. Start that version, or a newer one`),
    ] as never);
    using read = new Database(path);
    expect(read.query("SELECT max(created_at) AS last FROM __drizzle_migrations").get()).toEqual({
      last: 9999999999999,
    });
    expect(existsSync(join(dataDirectory, "before-repair"))).toBe(false);
  });
});
