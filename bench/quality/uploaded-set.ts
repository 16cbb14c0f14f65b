/** A question set inside a server: uploaded, chunked, indexed, searched and asked as any client would. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { uploadForm, type Client, type ListedFile } from "../client.ts";
import { timed } from "../server.ts";
import { DOCUMENTS, type Passage, type Question, type QuestionSet } from "./question-set.ts";

const CLIENTS = 4;
/** Files of one upload. */
const FILES_AT_ONCE = 50;

/** One result of a search. */
export interface Result {
  /** The same for the same chunk in every search. */
  readonly chunk: string;
  readonly file: string;
  readonly score: number;
  readonly isRight: boolean;
}

/** What was answered to a question. */
export interface Reply {
  readonly text: string;
  /** Whether it says that nothing in the dataset answers the question: every sentence taken from a document carries a citation. */
  readonly saysNothing: boolean;
}

export class UploadedSet {
  /** Passage of each uploaded file, by the file's name. */
  private readonly passages = new Map<string, Passage>();
  private readonly fileIds = new Map<string, string>();
  /** Which half of its dataset each passage or document is in, by its id or name: what filters choose by. */
  private readonly halves = new Map<string, number>();

  private constructor(
    private readonly set: QuestionSet,
    private readonly client: Client,
  ) {}

  static async upload(set: QuestionSet, client: Client): Promise<UploadedSet> {
    const uploaded = new UploadedSet(set, client);
    if (set.documents !== null) await uploaded.uploadDocuments(set.documents);
    else await uploaded.uploadPassages();
    return uploaded;
  }

  /** All results, best first; with `half`, among the half of the files that the first right passage is in. */
  async search(question: Question, { half = false } = {}): Promise<Result[]> {
    const filters = half ? [{ key: "half", match: { value: this.halfOf(question) } }] : undefined;
    const hits = await again(() => this.client.search(question.text, filters, question.dataset));
    return hits.map(({ score, pageContent, metadata: { fileId, chunkIndex, originalName } }) => ({
      chunk: `${fileId} ${chunkIndex}`,
      file: fileId,
      score,
      isRight: this.isRight(question, String(originalName), pageContent),
    }));
  }

  /** Whether this text of a file is one that answers the question. */
  isRight({ right }: Question, file: string, text: string): boolean {
    return this.set.documents !== null
      ? right.some((place) => answers(place, file, text))
      : right.includes(this.passages.get(file)?.id ?? "");
  }

  /** What the set calls an uploaded file. */
  nameOf(file: string): string {
    return this.passages.get(file)?.id ?? file;
  }

  async ask({ text, dataset }: Question): Promise<Reply> {
    const answer = await again(async () => {
      const { status, body } = await this.client.call("POST", "/v1/query", { datasetId: dataset, question: text });
      if (status !== 200) throw new Error(`a query was answered ${status}: ${JSON.stringify(body)}`);
      return (body.data as { answer: string }).answer;
    });
    return { text: answer.replace(CITATION, ""), saysNothing: answer.search(CITATION) < 0 };
  }

  private halfOf({ right: [place] }: Question): number {
    return this.halves.get(this.set.documents !== null ? place!.split("#")[0]! : place!)!;
  }

  /** Puts a text into each of these datasets; returns how to take it out again. */
  async add(name: string, text: string, datasets: Iterable<string>): Promise<() => Promise<void>> {
    const fileIds: string[] = [];
    for (const dataset of datasets) fileIds.push(await this.client.upload(name, text, {}, dataset));
    return () => this.delete(fileIds);
  }

  /** Takes these passages out of their datasets, for good. */
  async withhold(ids: Iterable<string>): Promise<void> {
    await this.delete(Array.from(ids, (id) => this.fileIds.get(id)!));
  }

  private async delete(fileIds: readonly string[]): Promise<void> {
    await timed(fileIds, CLIENTS, async (fileId) => {
      const { status, body } = await this.client.call("DELETE", `/v1/files/${fileId}`);
      if (status !== 200) throw new Error(`a deletion was answered ${status}: ${JSON.stringify(body)}`);
    });
  }

  private async uploadDocuments(folder: string): Promise<void> {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const [at, { name }] of files.entries()) {
      this.halves.set(name, at % 2);
      await this.uploadFiles(DOCUMENTS, at % 2, { [name]: await Bun.file(join(folder, name)).bytes() });
    }
  }

  private async uploadPassages(): Promise<void> {
    for (const [dataset, passages] of Map.groupBy(this.set.passages, (passage) => passage.dataset)) {
      const batches = [0, 1].flatMap((half) => {
        const own = passages.filter((_, at) => at % 2 === half);
        return Array.from({ length: Math.ceil(own.length / FILES_AT_ONCE) }, (_, batch) => ({
          half,
          own: own.slice(batch * FILES_AT_ONCE, (batch + 1) * FILES_AT_ONCE),
        }));
      });
      await timed(batches, CLIENTS, async ({ half, own }) => {
        const names = own.map((passage) => {
          const name = `${this.passages.size}.txt`;
          this.passages.set(name, passage);
          this.halves.set(passage.id, half);
          return name;
        });
        const files = await this.uploadFiles(
          dataset,
          half,
          Object.fromEntries(own.map(({ text }, at) => [names[at]!, text])),
        );
        for (const { fileId, originalName } of files) this.fileIds.set(this.passages.get(originalName)!.id, fileId);
      });
    }
  }

  private async uploadFiles(
    datasetId: string,
    half: number,
    files: Record<string, string | Uint8Array<ArrayBuffer>>,
  ): Promise<ListedFile[]> {
    const { status, body } = await this.client.call(
      "POST",
      "/v1/files/upload",
      uploadForm({ datasetId, extraMeta: JSON.stringify({ half }) }, files),
    );
    if (status !== 200)
      throw new Error(`the upload of ${Object.keys(files)[0]} was answered ${status}: ${JSON.stringify(body)}`);
    return (body as { files: ListedFile[] }).files;
  }
}

/** Whether a chunk of a document is at `name` or `name#words that stand in it`. */
export function answers(place: string, document: string, text: string): boolean {
  const [name, words = ""] = place.split(/#(.*)/s);
  return basename(document) === name && plain(text).includes(plain(words));
}

/** Runs `work` for each item, as four clients would; returns what it resolved to, in order, and each one's milliseconds. */
export async function withClients<Item, Outcome>(
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
): Promise<{ outcomes: Outcome[]; milliseconds: number[] }> {
  const outcomes = new Array<Outcome>(items.length);
  const milliseconds = await timed(items, CLIENTS, async (item, index) => (outcomes[index] = await work(item)));
  return { outcomes, milliseconds };
}

/** Tries once more: a server may close a connection that lay idle just when a request goes out on it, as every client must expect. */
async function again<Outcome>(request: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await request();
  } catch {
    return request();
  }
}

const CITATION = /\s?\[\d+\]/g;
/** Line breaks are where the reader of a format put them. */
const plain = (text: string): string => text.replace(/\s+/g, " ").trim();
