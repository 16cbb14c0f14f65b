/** What an assistant is shown of a customer's documents, wherever they lie: the operations of a server, or a service of the command line. */

export interface ShownPassage {
  /** Of a search; left out of what is read in its place. */
  readonly score?: number;
  readonly pageContent: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ShownDocument {
  readonly fileId: string;
  readonly originalName: string;
  readonly datasetId: string;
  readonly size: number | null;
  readonly created: string;
}

export interface Question {
  readonly datasetId: string;
  readonly question: string;
  readonly limit?: number;
}

/** Every method throws LecternError with the sentence that the assistant is to read. */
export interface AssistantDocuments {
  /** The one that all is about; null: each request names its own. */
  readonly datasetId: string | null;
  /** Best first. */
  search(question: Question): Promise<readonly ShownPassage[]>;
  ask(question: Question): Promise<{ readonly answer: string; readonly sources: readonly ShownPassage[] }>;
  datasets(): AsyncIterable<{ readonly datasetId: string; readonly files: number }>;
  /** Newest first; with `name` those of exactly this name. */
  files(datasetId: string, name: string | null): AsyncIterable<ShownDocument>;
  /** At most `limit` passages of a file from number `from` on, counted from 0, in their order; and how many the file has. */
  passages(
    fileId: string,
    range: { readonly from: number; readonly limit: number },
  ): Promise<{ readonly passages: readonly ShownPassage[]; readonly total: number }>;
}
