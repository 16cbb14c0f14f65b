/** `kill -9` again and again while files are replaced: each is found once, as it was or as it was to become, and nothing is left over. */
import { afterAll, expect, test } from "bun:test";
import { post, serve, temporaryFolder, type Server } from "../cli/lectern.ts";
import { until, uploadForm } from "../harness.ts";
import { remainsOf } from "./many-files.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const ROUNDS = 8;
const DOCUMENTS = ["east", "west", "north"];
const FLAGS = ["--rate-upload", "100000"];

test("a file is as before or as after, never both, never neither", async () => {
  let server = await serve(folder.dataDirectory, FLAGS);
  const key = server.apiKey!;
  /** Versions that may be there: the last one that was answered, and those that were sent since. */
  const possible = new Map<string, string[]>();
  for (const document of DOCUMENTS) {
    await replace(server, key, document, "first");
    possible.set(document, ["first"]);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const replacing = DOCUMENTS.map(async (document) => {
      for (let turn = 0; ; turn++) {
        const version = `version ${round}.${turn}`;
        possible.get(document)!.push(version);
        if (!(await replace(server, key, document, version))) return;
        possible.set(document, [version]);
      }
    });
    await Bun.sleep(60 + 45 * round);
    await server.stop("SIGKILL");
    await Promise.all(replacing);
    server = await serve(folder.dataDirectory, FLAGS);
    const stored = await texts(server, key);
    expect(stored).toHaveLength(DOCUMENTS.length);
    for (const document of DOCUMENTS) {
      const ofDocument = stored.filter((text) => text.includes(`The ${document} gate`));
      expect(ofDocument).toHaveLength(1);
      expect(possible.get(document)!.map((version) => textOf(document, version))).toContain(ofDocument[0]!);
    }
  }
  await until(() => remainsOf(folder.dataDirectory).discarded === 0, 60_000);
  await server.stop();
  const { files, chunks, vectors, discarded, onDisk } = remainsOf(folder.dataDirectory);
  expect({ files, chunks, vectors, discarded, onDisk }).toEqual({
    files: DOCUMENTS.length,
    chunks: DOCUMENTS.length,
    vectors: DOCUMENTS.length,
    discarded: 0,
    onDisk: 2 * DOCUMENTS.length,
  });
}, 240_000);

const textOf = (document: string, version: string): string => `The ${document} gate is of ${version}.`;

/** False when the server was killed before it had answered. */
async function replace(server: Server, key: string, document: string, version: string): Promise<boolean> {
  const body = uploadForm({ datasetId: "gates", externalId: document }, { "gate.txt": textOf(document, version) });
  try {
    const response = await fetch(`${server.url}/v1/files/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body,
    });
    return response.status === 200;
  } catch {
    return false;
  }
}

async function texts(server: Server, key: string): Promise<string[]> {
  const response = await post(server, "/v1/search", key, { datasetId: "gates", question: "the gate" });
  return ((await response.json()) as { data: { pageContent: string }[] }).data.map(({ pageContent }) => pageContent);
}
