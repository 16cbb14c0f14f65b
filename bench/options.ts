/** What a measurement may be told. */
export interface BenchOptions {
  /** Chunks in the large dataset. */
  readonly chunks: number;
  readonly questions: number;
  /** A file with one passage a line, or null for text that is at hand. */
  readonly text: string | null;
  /** A data directory to keep and fill, or null for a temporary one. */
  readonly keep: string | null;
  readonly rounds: number;
}
