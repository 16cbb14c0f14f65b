/** The embedding thread: one loaded model, which embeds and reads what it is given. */

import { serveOpened, type Opened } from "../remote/serve.ts";
import { transfer } from "../remote/transfer.ts";
import type { IdLists } from "../foundation/id-lists.ts";
import type { EmbeddedQuestion, EmbeddingPriority, TextKind } from "./types.ts";
import type { Span } from "./highlights.ts";
import { LexicalReader } from "./lexical-reader.ts";
import { modelFolder, readManifest, verifyModelFiles } from "./model-folder.ts";
import { TextEmbedder, type Embedded, type TextModel } from "./text-embedder.ts";
import { ModelTokenizer } from "./tokenizer.ts";

class EmbeddingModel {
  private constructor(
    private readonly model: TextModel,
    private readonly embedder: TextEmbedder,
  ) {}

  /** Loads a model, null being the built-in one, and tries it. */
  static async open(modelDirectory: string | null, threads: number): Promise<EmbeddingModel> {
    const manifest = await readManifest(modelDirectory);
    const folder = modelFolder(modelDirectory);
    // The built-in model was checked when it was built, and its unpacked files are at each start.
    if (modelDirectory !== null) await verifyModelFiles(folder, manifest);
    // Imported here so that a native library that cannot be loaded is refused with its own sentence.
    const [{ ModelSession }, { TableModel }] = await Promise.all([
      import("./model-session.ts"),
      import("./table-model.ts"),
    ]);
    const model =
      (await TableModel.load(folder, manifest, threads)) ?? (await ModelSession.load(folder, manifest, threads));
    const tokenizer = ModelTokenizer.load(folder, manifest.maxTokens);
    const isBuiltIn = modelDirectory === null;
    const lexicalReader = await LexicalReader.load(isBuiltIn ? tokenizer : null);
    const embedder = new TextEmbedder(
      manifest,
      tokenizer,
      model,
      lexicalReader,
      isBuiltIn && lexicalReader.readsAsModel,
    );
    await embedder.embed(["Lectern"], "query", "search", true);
    return new EmbeddingModel(model, embedder);
  }

  /** See `TextEmbedder.embed`. */
  async embed(
    texts: readonly string[],
    kind: TextKind,
    priority: EmbeddingPriority,
    withTerms: boolean,
  ): Promise<Embedded> {
    const embedded = await this.embedder.embed(texts, kind, priority, withTerms);
    const { vectors, terms, importance } = embedded;
    return transfer(
      embedded,
      [vectors, terms?.ids, terms?.ends, importance].filter((array) => array != null),
    );
  }

  /** See `TextEmbedder.question`. */
  embedQuestion(text: string): Promise<EmbeddedQuestion> {
    return this.embedder.question(text);
  }

  /** See `TextEmbedder.terms`. */
  async terms(texts: readonly string[]): Promise<IdLists> {
    const terms = await this.embedder.terms(texts);
    return transfer(terms, [terms.ids, terms.ends]);
  }

  /** See `TextEmbedder.highlights`. */
  highlights(question: string, texts: readonly string[]): Promise<Span[][]> {
    return this.embedder.highlights(question, texts);
  }

  /** Answers what was accepted, then lets go of the model: ending the thread during a run would end the process. */
  async close(): Promise<void> {
    await this.embedder.drain();
    await this.model.release();
  }
}

export type EmbeddingThread = Opened<typeof EmbeddingModel.open>;

serveOpened(EmbeddingModel.open);
