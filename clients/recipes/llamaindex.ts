/**
 * Lectern as a retriever of LlamaIndex TS (llamaindex 0.12).
 *
 *     const lectern = new Lectern({ url: "http://127.0.0.1:8080", key: process.env.LECTERN_KEY! });
 *     const retriever = new LecternRetriever(lectern, { datasetId: "handbook", limit: 5 });
 *     const nodes = await retriever.retrieve("Who approves a holiday of two weeks?");
 */
import type { Lectern, Question } from "lectern-client";
import { BaseRetriever, extractText, type NodeWithScore, type QueryBundle, TextNode } from "llamaindex";

export class LecternRetriever extends BaseRetriever {
  readonly #lectern: Lectern;
  readonly #asked: Omit<Question, "question">;

  /** `asked`: the dataset, filters, `limit`, `minScore`. */
  constructor(lectern: Lectern, asked: Omit<Question, "question">) {
    super();
    this.#lectern = lectern;
    this.#asked = asked;
  }

  override async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const results = await this.#lectern.search({ ...this.#asked, question: extractText(query) });
    return results.map(({ score, pageContent, metadata }) => ({
      score,
      node: new TextNode({ id_: `${metadata.fileId}/${metadata.chunkIndex}`, text: pageContent, metadata }),
    }));
  }
}
