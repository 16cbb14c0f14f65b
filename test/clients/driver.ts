/**
 * The TypeScript client at the other end of a pipe: one call a line on standard input, one outcome a line on standard output. Runs in
 * Node, Bun and Deno. driver.py is the same for Python.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import { Lectern, LecternError, type LecternOptions, type UploadFile } from "lectern-client";
import { fromPath, saveFile } from "lectern-client/files";

type Arguments = Record<string, any>;

interface Call {
  readonly call: string;
  readonly options: LecternOptions;
  readonly arguments: Arguments;
}

const calls: Record<string, (lectern: Lectern, given: Arguments) => Promise<unknown>> = {
  async upload(lectern, { paths = [], texts = {}, streams = {}, externalIds = {}, ...fields }) {
    const files: UploadFile[] = [
      ...(await Promise.all(paths.map((path: string) => fromPath(path)))),
      ...Object.entries(texts).map(([name, content]) => ({ name, content: content as string })),
      ...Object.entries(streams).map(([name, path]) => ({ name, content: onceOnly(path as string) })),
    ].map((file) => ({ ...file, externalId: externalIds[file.name] }));
    return lectern.upload(files, fields);
  },
  waitUntilReady: (lectern, { files }) => lectern.waitUntilReady(files, { interval: 20 }),
  listFiles: (lectern, { datasetId, ...options }) => lectern.listFiles(datasetId, options).toArray(),
  listDatasets: (lectern, options) => lectern.listDatasets(options).toArray(),
  getFile: (lectern, { fileId }) => lectern.getFile(fileId),
  async download(lectern, { fileId, ...options }) {
    const bytes = await (await lectern.download(fileId, options)).bytes();
    return { length: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  },
  async saveFile(lectern, { fileId, path }) {
    await saveFile(lectern, fileId, path);
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  },
  headFile: (lectern, { fileId }) => lectern.headFile(fileId),
  getSubtitles: (lectern, { fileId, format }) => lectern.getSubtitles(fileId, format),
  getPassages: (lectern, { fileId, ...options }) => lectern.getPassages(fileId, options),
  deleteFile: (lectern, { fileId }) => lectern.deleteFile(fileId),
  deleteDataset: (lectern, { datasetId }) => lectern.deleteDataset(datasetId),
  deleteByExternalId: (lectern, { datasetId, externalId }) => lectern.deleteByExternalId(datasetId, externalId),
  deleteEverything: (lectern) => lectern.deleteEverything(),
  search: (lectern, question) => lectern.search(question as { question: string }),
  query: (lectern, question) => lectern.query(question as { question: string }),
  /** The events' types, of which `stopAfter` are read. */
  async queryStream(lectern, { stopAfter = Number.POSITIVE_INFINITY, ...question }) {
    const types: string[] = [];
    for await (const { type } of lectern.queryStream(question as { question: string })) {
      types.push(type);
      if (types.length >= stopAfter) break;
    }
    return types;
  },
  createToken: (lectern, request) => lectern.createToken(request as { datasetId: string }),
};

async function* onceOnly(path: string): AsyncGenerator<Uint8Array> {
  yield readFileSync(path);
}

async function outcomeOf({ call, options, arguments: given }: Call): Promise<unknown> {
  try {
    const lectern = new Lectern(options);
    return { value: await calls[call]!(lectern, given), shown: inspect(lectern) };
  } catch (error) {
    const { name, message, code, status, details, requestId, retryAfter } = error as LecternError;
    const kind = error instanceof LecternError ? "LecternError" : name;
    return {
      error: { kind, message, code, status, details, requestId, retryAfter },
      shown: inspect(error, { depth: 10 }),
    };
  }
}

for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await outcomeOf(JSON.parse(line) as Call)));
