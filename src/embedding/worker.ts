/** The embedding Worker: loads one model, answers requests, and ends by protocol (see protocol.ts). */

import { LecternError } from "../errors.ts";
import { LexicalReader } from "./lexical-reader.ts";
import { modelFolder, readManifest, verifyModelFiles } from "./model-folder.ts";
import type { ModelSession } from "./model-session.ts";
import type { FromWorker, ToWorker } from "./protocol.ts";
import { TextEmbedder } from "./text-embedder.ts";
import { ModelTokenizer } from "./tokenizer.ts";

declare const self: Worker;

interface Opened {
  readonly session: ModelSession;
  readonly embedder: TextEmbedder;
}

let opened: Opened | null = null;

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "open") return answer(await open(data.modelDirectory, data.threads));
  if (data.type === "close") return close();
  try {
    if (!opened) throw new Error("the model is not open");
    if (data.type === "terms") {
      const terms = await opened.embedder.terms(data.texts);
      return answer({ type: "read", id: data.id, terms }, [
        terms.ids.buffer as ArrayBuffer,
        terms.ends.buffer as ArrayBuffer,
      ]);
    }
    const { vectors, terms, importance } = await opened.embedder.embed(
      data.texts,
      data.kind,
      data.priority,
      data.withTerms,
    );
    const buffers = [vectors, terms?.ids, terms?.ends, importance].flatMap((array) =>
      array ? [array.buffer as ArrayBuffer] : [],
    );
    answer({ type: "embedded", id: data.id, vectors, terms, importance }, buffers);
  } catch (error) {
    answer({ type: "failed", id: data.id, reason: reasonOf(error) });
  }
};

async function open(modelDirectory: string | null, threads: number): Promise<FromWorker> {
  try {
    const manifest = await readManifest(modelDirectory);
    const folder = modelFolder(modelDirectory);
    // The built-in model was checked when it was built, and its unpacked files are at each start.
    if (modelDirectory !== null) await verifyModelFiles(folder, manifest);
    // Imported here so that a native library that cannot be loaded is refused with its own sentence.
    const { ModelSession } = await import("./model-session.ts");
    const session = await ModelSession.load(folder, manifest, threads);
    const tokenizer = ModelTokenizer.load(folder, manifest.maxTokens);
    const isBuiltIn = modelDirectory === null;
    const lexicalReader = await LexicalReader.load(isBuiltIn ? tokenizer : null);
    const embedder = new TextEmbedder(
      manifest,
      tokenizer,
      session,
      lexicalReader,
      isBuiltIn && lexicalReader.readsAsModel,
    );
    await embedder.embed(["Lectern"], "query", "search", true);
    opened = { session, embedder };
    return { type: "opened" };
  } catch (error) {
    return { type: "refused", reason: reasonOf(error) };
  }
}

async function close(): Promise<void> {
  await opened?.embedder.drain();
  await opened?.session.release();
  opened = null;
  answer({ type: "closed" });
}

function answer(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer);
}

/** One line for the main thread: a sentence of ours as it is, of other errors the whole chain of causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof LecternError && error.code !== "INTERNAL") return error.message;
  return error.cause ? `${error.message} (${reasonOf(error.cause)})` : error.message;
}
