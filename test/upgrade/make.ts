/**
 * `bun test/upgrade/make.ts EXECUTABLE NAME [--with-indexes]` makes `test/upgrade/NAME.tar.zst`: a data directory as that executable leaves
 * it, with some of everything, and in it `expected.json`, what that executable answers. See README.md beside this.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, uploadForm, type ListedFile, type SearchHit } from "../../bench/client.ts";
import { commandJson, ServerProcess } from "../../bench/server-process.ts";
import type { Expected } from "./expected.ts";

const [program, name] = process.argv.slice(2);
if (program === undefined || name === undefined)
  throw new Error("Usage: bun test/upgrade/make.ts EXECUTABLE NAME [--with-indexes]");
const withIndexes = process.argv.includes("--with-indexes");

/** Small, in several formats and languages. The first of each dataset is uploaded under an external id, where the executable knows that. */
const UPLOADS: readonly (readonly [customer: string, dataset: string, files: readonly string[], metadata: object])[] = [
  ["acme", "manuals", ["bicycle-maintenance.md", "onderdelen.csv"], { year: 2026 }],
  ["acme", "letters", ["gomi-no-dashikata.txt", "apiculture.html"], { kind: "letter", year: 2025 }],
  ["beta", "manuals", ["urlaubsregelung.docx", "router-questions.json"], {}],
];
const QUESTIONS: readonly (readonly [customer: string, dataset: string, question: string])[] = [
  ["acme", "manuals", "How is the chain cleaned and oiled?"],
  ["acme", "manuals", "Welke pomp past op de wasmachine?"],
  ["acme", "letters", "燃えるごみはいつ出しますか"],
  ["acme", "letters", "Quand récolte-t-on le miel ?"],
  ["beta", "manuals", "Wer genehmigt einen Urlaub von zwei Wochen?"],
  ["beta", "manuals", "The router has lost its password"],
];
/** So that small datasets get an index as well. */
const INDEXES = { LECTERN_EXACT_LIMIT: "0", LECTERN_GRAPH_LIMIT: "5" };

const samples = join(import.meta.dir, "../../samples");
const folder = mkdtempSync(join(tmpdir(), "lectern-upgrade-"));
const directory = join(folder, "data");
try {
  const keys: Record<string, string> = {};
  for (const [customer, credits] of [
    ["acme", "100"],
    ["beta", "unlimited"],
  ] as const) {
    await commandJson(directory, ["customer", "create", customer, "--credits", credits], { program });
    const { apiKey } = await commandJson<{ apiKey: string }>(directory, ["key", "create", "--customer", customer], {
      program,
    });
    keys[customer] = apiKey;
  }
  const expected = await fill(keys);
  writeFileSync(join(directory, "expected.json"), `${JSON.stringify(expected, null, 1)}\n`);
  pack();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function fill(keys: Record<string, string>): Promise<Expected> {
  const server = new ServerProcess(
    directory,
    { LECTERN_LOG_LEVEL: "warn", ...(withIndexes && INDEXES) },
    [],
    true,
    program,
  );
  if ((await server.ready()) !== "ready") throw new Error(`It did not start: ${server.errors}`);
  const clients = Object.fromEntries(
    Object.entries(keys).map(([customer, key]) => [customer, new Client(server, key)]),
  );
  for (const [customer, datasetId, files, metadata] of UPLOADS) {
    for (const [at, file] of files.entries()) {
      const fields = {
        datasetId,
        chunkSize: "250",
        extraMeta: JSON.stringify(metadata),
        ...(at === 0 && { externalId: `id of ${file}` }),
      };
      const form = uploadForm(fields, {});
      form.append("file", new File([readFileSync(join(samples, file))], file));
      const { status, body } = await clients[customer]!.call("POST", "/v1/files/upload", form);
      if (status !== 200) throw new Error(`${file} was answered ${status}: ${JSON.stringify(body)}`);
    }
  }
  const searches: Expected["searches"] = [];
  for (const [customer, datasetId, question] of QUESTIONS) {
    const hits = await clients[customer]!.search(question, [], datasetId);
    searches.push({ customer, datasetId, question, passages: hits.map(shown) });
  }
  const files: Expected["files"] = [];
  for (const [customer, datasetId] of UPLOADS) {
    const { body } = await clients[customer]!.call("GET", `/v1/files?datasetId=${datasetId}`);
    for (const { fileId } of (body as { files: ListedFile[] }).files) {
      const { bytes, answer } = await clients[customer]!.download(fileId);
      if (bytes === null) throw new Error(`${fileId} was answered ${answer.status}`);
      const { permanentUrl: _, ...file } = (await clients[customer]!.call("GET", `/v1/files/${fileId}`)).body.files[0];
      files.push({ customer, fileId, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"), file });
    }
  }
  // What is saved of indexes is saved in the background.
  if (withIndexes) await Bun.sleep(5000);
  await server.stop();
  return { keys, searches, files };
}

function shown({
  pageContent,
  metadata: { fileId, chunkIndex },
}: SearchHit): Expected["searches"][number]["passages"][number] {
  return { fileId, chunkIndex, text: pageContent };
}

function pack(): void {
  const excluded = ["reserve", "staging", "boot", "lectern.lock", ...(withIndexes ? [] : ["indexes"])];
  const tar = Bun.spawnSync([
    "tar",
    "-C",
    directory,
    "--sort=name",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    ...excluded.map((entry) => `--exclude=./${entry}`),
    "-cf",
    "-",
    ".",
  ]);
  if (tar.exitCode !== 0) throw new Error(tar.stderr.toString());
  const target = join(import.meta.dir, `${name}.tar.zst`);
  writeFileSync(target, Bun.zstdCompressSync(tar.stdout, { level: 19 }));
  console.log(`${target}: ${Bun.file(target).size} bytes`);
}
