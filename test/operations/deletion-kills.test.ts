/** `kill -9` again and again while a server clears up deleted datasets: none comes back, nothing else is lost, and it comes to its end. */
import { afterAll, expect, test } from "bun:test";
import { post, serve, temporaryFolder, type Server } from "../cli/lectern.ts";
import { uploadForm } from "../harness.ts";
import { remainsOf } from "./many-files.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const ROUNDS = 5;
const FILES = 400;
const FLAGS = ["--rate-upload", "100000", "--max-files-per-upload", "400"];

test("what was deleted stays deleted, what was uploaded since is found", async () => {
  let server = await serve(folder.dataDirectory, FLAGS);
  const key = server.apiKey!;
  const kept = await upload(server, key, "kept", texts("kept", 2));
  const datasets = Array.from({ length: ROUNDS }, (_, round) => `dataset ${round}`);
  for (const dataset of datasets) await upload(server, key, dataset, texts("old", FILES));

  const uploaded = new Map<string, string[]>();
  for (const [round, dataset] of datasets.entries()) {
    // Killed before it is answered, just after, and later: whether it is deleted is known once it was answered.
    const removal = remove(server, key, dataset);
    if (round === 0) await Bun.sleep(30);
    else {
      expect((await removal)?.length).toBe(FILES);
      uploaded.set(dataset, await upload(server, key, dataset, texts("new", 1)));
      await Bun.sleep((round - 1) * 100);
    }
    await server.stop("SIGKILL");
    await removal;
    server = await serve(folder.dataDirectory, FLAGS);
    for (const [gone, fresh] of uploaded) {
      expect(await list(server, key, gone)).toEqual(fresh);
      expect(await search(server, key, gone)).toEqual(fresh);
    }
  }

  const left = await list(server, key, datasets[0]!);
  expect([0, FILES]).toContain(left.length);
  if (left.length > 0) await remove(server, key, datasets[0]!);
  expect(new Set(await list(server, key, "kept"))).toEqual(new Set(kept));
  const files = kept.length + [...uploaded.values()].flat().length;
  for (const end = Date.now() + 60_000; remainsOf(folder.dataDirectory).discarded > 0 && Date.now() < end; )
    await Bun.sleep(50);
  await server.stop();
  expect(remainsOf(folder.dataDirectory)).toEqual({
    files,
    chunks: files,
    vectors: files,
    tokens: files,
    attributes: 0,
    discarded: 0,
    onDisk: 2 * files,
  });
}, 180_000);

const texts = (word: string, files: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: files }, (_, index) => [`${word} ${index}.txt`, `A ${word} text.`]));

interface Listed {
  files: { fileId: string }[];
}

const idsOf = ({ files }: Listed): string[] => files.map(({ fileId }) => fileId);
const authorized = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

async function upload(server: Server, key: string, datasetId: string, files: Record<string, string>) {
  const body = uploadForm({ datasetId }, files);
  const response = await fetch(`${server.url}/v1/files/upload`, { method: "POST", ...authorized(key), body });
  if (response.status !== 200) throw new Error(await response.text());
  return idsOf((await response.json()) as Listed);
}

/** null when the server was killed before it had answered. */
async function remove(server: Server, key: string, datasetId: string): Promise<string[] | null> {
  try {
    const response = await fetch(`${server.url}/v1/datasets/${encodeURIComponent(datasetId)}/files`, {
      method: "DELETE",
      ...authorized(key),
    });
    return idsOf((await response.json()) as Listed);
  } catch {
    return null;
  }
}

async function list(server: Server, key: string, datasetId: string): Promise<string[]> {
  const response = await fetch(`${server.url}/v1/files?datasetId=${encodeURIComponent(datasetId)}`, authorized(key));
  return idsOf((await response.json()) as Listed);
}

async function search(server: Server, key: string, datasetId: string): Promise<string[]> {
  const { data } = (await (await post(server, "/v1/search", key, { datasetId, question: "old text" })).json()) as {
    data: { metadata: { fileId: string } }[];
  };
  return data.map(({ metadata }) => metadata.fileId);
}
