/** `kill -9` again and again while a server embeds a dataset anew: nothing is lost, nothing comes back, and it comes to its end. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { storedBytesOf } from "../../src/store/stored-vector.ts";
import { post, serve, temporaryFolder, type Server } from "../cli/lectern.ts";
import { writeTinyModel } from "../embedding/tiny-model.ts";
import { uploadForm } from "../harness.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const ROUNDS = 6;
const words = ["red", "green", "blue", "rock", "sea", "query"];
/** Some hundred chunks. */
const longText = (seed: number): string =>
  Array.from({ length: 1500 }, (_, index) => words[(index * 7 + seed * 3 + (index >> 3)) % words.length]).join(" ");

test("every file that was acknowledged is found by its new vectors, every deleted one is gone", async () => {
  mkdirSync(join(folder.dataDirectory, "models/tiny"), { recursive: true });
  writeTinyModel({ pooling: "mean", manifest: { maxTokens: 64 } }, join(folder.dataDirectory, "models/tiny"));
  const first = await serve(folder.dataDirectory, ["--model", "tiny"]);
  const key = first.apiKey!;
  const kept = new Set<string>();
  const deleted = new Set<string>();
  for (let file = 0; file < 6; file++) kept.add((await upload(first, key, file))!);
  await first.stop();

  const deletable = [...kept].slice(0, 3);
  for (let round = 0; round < ROUNDS; round++) {
    const server = await serve(folder.dataDirectory);
    const work = (async () => {
      const uploaded = await upload(server, key, 10 + round).catch(() => null);
      if (uploaded !== null) kept.add(uploaded);
      const fileId = deletable.pop();
      if (fileId === undefined) return;
      // Whether it is gone is not known until it is answered.
      kept.delete(fileId);
      if (
        await fetch(`${server.url}/v1/files/${fileId}`, {
          method: "DELETE",
          headers: { authorization: `Bearer ${key}` },
        }).then(
          ({ status }) => status === 200,
          () => false,
        )
      )
        deleted.add(fileId);
    })();
    await Bun.sleep(150 + round * 120);
    await server.stop("SIGKILL");
    await work;
  }

  const last = await serve(folder.dataDirectory);
  while (
    !/^lectern_reembedding_datasets 0$/m.test(await fetch(`${last.url}/metrics`).then((response) => response.text()))
  )
    await Bun.sleep(100);
  const listed = (
    (await fetch(`${last.url}/v1/files?datasetId=d`, { headers: { authorization: `Bearer ${key}` } }).then((response) =>
      response.json(),
    )) as { files: { fileId: string }[] }
  ).files.map(({ fileId }) => fileId);
  expect(listed).toEqual(expect.arrayContaining([...kept]));
  for (const fileId of deleted) expect(listed).not.toContain(fileId);
  for (const fileId of listed) {
    const { data } = (await post(last, "/v1/search", key, {
      datasetId: "d",
      question: "red rock",
      filters: [{ key: "fileId", match: { value: fileId } }],
    }).then((response) => response.json())) as { data: unknown[] };
    expect(data).toHaveLength(8);
  }
  while (unfinished() > 0) await Bun.sleep(50);
  await last.stop();
  expect(vectorsAndChunks()).toEqual({ chunks: expect.any(Number), vectors: 0, terms: 0 });
}, 120_000);

async function upload(server: Server, key: string, seed: number): Promise<string | null> {
  const body = uploadForm({ datasetId: "d", chunkSize: "10", chunkOverlap: "0" }, { [`${seed}.txt`]: longText(seed) });
  const response = await fetch(`${server.url}/v1/files/upload`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body,
  });
  return response.status === 200 ? ((await response.json()) as { files: { fileId: string }[] }).files[0]!.fileId : null;
}

function read<Row>(sql: string): Row {
  const database = new Database(join(folder.dataDirectory, "lectern.db"), { readonly: true });
  try {
    return database.query<Row, []>(sql).get()!;
  } finally {
    database.close();
  }
}

const unfinished = (): number =>
  read<{ left: number }>(
    "SELECT (SELECT count(*) FROM reembeddings) + (SELECT count(*) FROM discardedGenerations) AS left",
  ).left;

/** Bytes of a vector of the built-in model. */
const WHOLE = storedBytesOf(1536);

/** How many vectors and lists of terms there are beyond one of the built-in model's for each chunk. */
function vectorsAndChunks(): { chunks: number; vectors: number; terms: number } {
  return read(`SELECT count(*) AS chunks, (SELECT count(*) FROM vectors WHERE length(vector) = ${WHOLE}) - count(*) + (SELECT count(*) FROM vectors WHERE length(vector) <> ${WHOLE}) AS vectors,
    (SELECT count(*) FROM chunkTokens) - count(*) AS terms FROM chunks`);
}
