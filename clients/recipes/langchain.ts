/**
 * Lectern as a retriever of LangChain JS (@langchain/core 1).
 *
 *     const lectern = new Lectern({ url: "http://127.0.0.1:8080", key: process.env.LECTERN_KEY! });
 *     const retriever = new LecternRetriever({ lectern, question: { datasetId: "handbook", limit: 5 } });
 *     const documents = await retriever.invoke("Who approves a holiday of two weeks?");
 */
import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import type { Lectern, PassageMetadata, Question } from "lectern-client";

export interface LecternRetrieverInput extends BaseRetrieverInput {
  readonly lectern: Lectern;
  /** The dataset, filters, `limit`, `minScore`. */
  readonly question: Omit<Question, "question">;
}

export class LecternRetriever extends BaseRetriever<PassageMetadata & { score: number }> {
  lc_namespace = ["lectern", "retrievers"];
  readonly #input: LecternRetrieverInput;

  constructor(input: LecternRetrieverInput) {
    super(input);
    this.#input = input;
  }

  override async _getRelevantDocuments(question: string) {
    const { lectern, question: asked } = this.#input;
    const results = await lectern.search({ ...asked, question });
    return results.map(
      ({ score, pageContent, metadata }) =>
        new Document({
          id: `${metadata.fileId}/${metadata.chunkIndex}`,
          pageContent,
          metadata: { ...metadata, score },
        }),
    );
  }
}
