/** What the lexical thread tells of itself. */

export interface LexicalStatistics {
  readonly openDatasets: number;
  /** Chunks in memory, dead ones among them. */
  readonly rows: number;
  /** Bytes that they take. */
  readonly bytes: number;
}
