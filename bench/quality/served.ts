/** What the executable finds over HTTP: uploaded, chunked, indexed and searched as any client would. */
import { Database } from "bun:sqlite";
import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BenchServer, executable, timed } from "../server.ts";
import { DEPTH } from "./measures.ts";
import type { Passage, Question, QuestionSet } from "./question-set.ts";

const CLIENTS = 4;
/** Files of one upload. */
const FILES_AT_ONCE = 50;
const DOCUMENTS = "documents";

/** A server with one question set in it: a dataset per language of its passages, or one of all its documents. */
export class ServedSet {
  private readonly server = new BenchServer();
  /** Passage of each uploaded file, by the file's name. */
  private readonly passages = new Map<string, Passage>();

  private constructor(private readonly set: QuestionSet) {}

  /** `model` null: the built-in model. */
  static async open(set: QuestionSet, model: string | null): Promise<ServedSet> {
    const served = new ServedSet(set);
    if (model !== null) served.addModel(model);
    await served.server.start();
    if (set.documents !== null) await served.uploadDocuments(set.documents);
    else await served.uploadPassages();
    return served;
  }

  /** The ranks of each question's first right passage among those of different files, or among passages for documents. */
  async retrieve(questions: readonly Question[]): Promise<{ ranks: number[]; milliseconds: number[] }> {
    const ranks = new Array<number>(questions.length);
    const milliseconds = await timed(questions, CLIENTS, async (question, index) => {
      const dataset = this.set.documents !== null ? DOCUMENTS : datasetOf(question.passageLanguage);
      const hits = await this.server.search(question.text, undefined, dataset);
      const isRight = (hit: (typeof hits)[number]): boolean =>
        this.set.documents !== null
          ? question.right.some((place) => answers(place, String(hit.metadata.originalName), hit.pageContent))
          : question.right.includes(this.passages.get(String(hit.metadata.originalName))!.id);
      // A long passage may be several chunks: its best one stands for it.
      const distinct = this.set.documents !== null ? hits : hits.filter((hit, at) => hits.findIndex((other) => other.metadata.fileId === hit.metadata.fileId) === at);
      const rank = distinct.slice(0, DEPTH).findIndex(isRight);
      ranks[index] = rank < 0 ? Infinity : rank + 1;
    });
    return { ranks, milliseconds };
  }

  /** Starts the server again with other options, the documents still there. */
  async restart(environment: Record<string, string>): Promise<void> {
    await this.server.stop();
    await this.server.start(environment);
  }

  /** The chunks that the server made of the documents: the passages that the model alone is measured on. */
  chunks(): Passage[] {
    const database = new Database(join(this.server.directory, "lectern.db"), { readonly: true });
    try {
      const rows = database.query<{ id: number; name: string; text: string }, []>("SELECT chunks.id, files.originalName AS name, chunks.text FROM chunks JOIN files ON files.id = chunks.fileRow ORDER BY chunks.id").all();
      return rows.map(({ name, text }) => ({ id: name, language: "", text }));
    } finally {
      database.close();
    }
  }

  async close(): Promise<void> {
    await this.server.stop();
    this.server.remove();
  }

  private addModel(folder: string): void {
    const added = Bun.spawnSync([executable, "model", "add", resolve(folder), "--name", "measured", "--data-dir", this.server.directory]);
    const used = added.success ? Bun.spawnSync([executable, "model", "use", "measured", "--data-dir", this.server.directory]) : added;
    if (!used.success) throw new Error(used.stderr.toString());
  }

  private async uploadDocuments(folder: string): Promise<void> {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isFile()) await this.upload(DOCUMENTS, [new File([await Bun.file(join(folder, entry.name)).arrayBuffer()], entry.name)]);
    }
  }

  private async uploadPassages(): Promise<void> {
    for (const [language, passages] of Map.groupBy(this.set.passages, (passage) => passage.language)) {
      const batches = Array.from({ length: Math.ceil(passages.length / FILES_AT_ONCE) }, (_, batch) => passages.slice(batch * FILES_AT_ONCE, (batch + 1) * FILES_AT_ONCE));
      await timed(batches, CLIENTS, async (batch) => {
        const files = batch.map((passage) => {
          const name = `${this.passages.size}.txt`;
          this.passages.set(name, passage);
          return new File([passage.text], name);
        });
        await this.upload(datasetOf(language), files);
      });
    }
  }

  private async upload(datasetId: string, files: readonly File[]): Promise<void> {
    const form = new FormData();
    form.set("datasetId", datasetId);
    for (const file of files) form.append("file", file);
    const response = await this.server.fetch("/v1/files/upload", { method: "POST", body: form });
    if (response.status !== 200) throw new Error(`the upload of ${files[0]!.name} was answered ${response.status}: ${await response.text()}`);
  }
}

/** Whether a chunk of a document is at `name` or `name#words that stand in it`. */
export function answers(place: string, document: string, text: string): boolean {
  const [name, words = ""] = place.split(/#(.*)/s);
  return basename(document) === name && plain(text).includes(plain(words));
}

/** Whether the executable can search in several ways, to be compared. */
export function knowsSearchModes(): boolean {
  return Bun.spawnSync([executable, "serve", "--help"]).stdout.toString().includes("--search-mode");
}

const datasetOf = (language: string): string => `language ${language}`;
/** Line breaks are where the reader of a format put them. */
const plain = (text: string): string => text.replace(/\s+/g, " ").trim();
