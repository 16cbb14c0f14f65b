/** `kill -9` again and again while accepted files are read: each is found once in the end, paid once, and nothing is left over. */
import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { lectern, post, serve, temporaryFolder, type Server } from "../cli/lectern.ts";
import { until, uploadForm } from "../harness.ts";
import { remainsOf } from "./many-files.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const ROUNDS = 7;
const CREDITS = 1000;
const FLAGS = ["--rate-upload", "100000", "--background-files", "2"];
const inDirectory = ["--data-dir", folder.dataDirectory];
/** Some hundred passages: a second of work or so. */
const FILLING = Array.from({ length: 4000 }, (_, number) => `The wall has stone ${number}.`).join(" ");

interface ShownFile {
  readonly fileId: string;
  readonly originalName: string;
  readonly status: string;
}

test("what was accepted is ready in the end, and paid once", async () => {
  let server = await serve(folder.dataDirectory, FLAGS);
  const replacing = server.apiKey!;
  await lectern(["customer", "create", "acme", "--credits", String(CREDITS), ...inDirectory]);
  const paying = (await lectern(["key", "create", "--customer", "acme", "--json", ...inDirectory])).json().apiKey;
  const accepted: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const uploading = ["north", "south"].flatMap((place, at) => [
      accept(server, paying, `${place}-${round}.txt`, `The ${place} gate of round ${round}. ${FILLING}`, 60 * at).then(
        (fileIds) => void accepted.push(...fileIds),
      ),
      accept(server, replacing, `${place}.txt`, `The ${place} gate as of round ${round}. ${FILLING}`, 90 * at, place),
    ]);
    await Bun.sleep(150 + 230 * round);
    await server.stop("SIGKILL");
    await Promise.all(uploading);
    server = await serve(folder.dataDirectory, FLAGS);
  }
  for (const place of ["north", "south"])
    expect(await accept(server, replacing, `${place}.txt`, `The ${place} gate at last.`, 0, place)).toHaveLength(1);

  const paid = await allReady(server, paying);
  expect(new Set(paid.map(({ originalName }) => originalName)).size).toBe(paid.length);
  expect(accepted.filter((fileId) => !paid.some((file) => file.fileId === fileId))).toEqual([]);
  const { credits } = (await lectern(["credits", "show", "--customer", "acme", "--json", ...inDirectory])).json();
  expect(credits).toBe(CREDITS - paid.length);
  const replaced = await allReady(server, replacing);
  expect(replaced.map(({ originalName }) => originalName).sort()).toEqual(["north.txt", "south.txt"]);
  const found = await post(server, "/v1/search", replacing, { datasetId: "gates", question: "the gate at last" });
  const { data } = (await found.json()) as { data: { pageContent: string }[] };
  expect(data.map(({ pageContent }) => pageContent).sort()).toEqual([
    "The north gate at last.",
    "The south gate at last.",
  ]);

  await until(() => remainsOf(folder.dataDirectory).discarded === 0, 60_000);
  await server.stop();
  expect(readdirSync(join(folder.dataDirectory, "staging"))).toEqual([]);
  const files = paid.length + replaced.length;
  expect(remainsOf(folder.dataDirectory)).toMatchObject({ files, onDisk: 2 * files });
  const doctor = await lectern(["doctor", ...inDirectory]);
  expect([doctor.code, doctor.stdout]).toEqual([0, expect.not.stringContaining("WRONG")]);
}, 280_000);

/** Uploads a file, after a while; resolves to its id, or to nothing where the server was killed before it had answered. */
async function accept(
  { url }: Server,
  key: string,
  name: string,
  text: string,
  after: number,
  externalId = "",
): Promise<string[]> {
  await Bun.sleep(after);
  const body = uploadForm({ datasetId: "gates", externalId, async: "true" }, { [name]: text });
  try {
    const response = await fetch(`${url}/v1/files/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body,
    });
    expect(response.status).toBe(202);
    return ((await response.json()) as { files: ShownFile[] }).files.map(({ fileId }) => fileId);
  } catch (error) {
    if ((error as Error).name === "AssertionError") throw error;
    return [];
  }
}

async function list({ url }: Server, key: string): Promise<ShownFile[]> {
  const headers = { authorization: `Bearer ${key}` };
  return ((await (await fetch(`${url}/v1/files?datasetId=gates`, { headers })).json()) as { files: ShownFile[] }).files;
}

/** The files of a customer, once none is to be read any more. */
async function allReady(server: Server, key: string): Promise<ShownFile[]> {
  for (let looks = 0; looks < 600; looks++) {
    const files = await list(server, key);
    if (files.every(({ status }) => status === "ready")) return files;
    expect(files.filter(({ status }) => status === "failed")).toEqual([]);
    await Bun.sleep(100);
  }
  throw new Error("Some files were never ready.");
}
