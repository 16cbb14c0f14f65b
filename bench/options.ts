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
  /** Of what is drawn at random. */
  readonly seed: number;
  /** Damages to try. */
  readonly cases: number;
  /** Whether damages are given to `doctor --repair`. */
  readonly repair: boolean;
  /** The number of the only damage or large file to try, or null for all. */
  readonly only: number | null;
  /** Files that take the place of others. */
  readonly replacements: number;
  /** Of churn. */
  readonly minutes: number;
  /** Under attack; half as long before and after it. */
  readonly seconds: number;
  /** The server's own option, or null for its default. */
  readonly extractSeconds: number | null;
  /** Threads of a language model, or null for the real cores. */
  readonly threads: number | null;
  /** Folder of question sets, or null for the one over `samples/`. */
  readonly questionFolder: string | null;
  /** Model folders to compare, "default" being the built-in one; none: that one. */
  readonly models: readonly string[];
  /** Executables, or variables of the measured one (`NAME=VALUE`), that are measured beside it. */
  readonly against: readonly string[];
  /** A question whose results are to be explained instead of measuring, or null. */
  readonly explain: string | null;
  /** Whether questions are also asked in other forms; always true of the sets that are part of the project. */
  readonly variants: boolean;
  /** Names of other datasets to make of the same texts, instead of those that sets describe. */
  readonly layouts: readonly string[];
  /** Questions of each pair of languages, at most. */
  readonly perPair: number;
  /** Rows of a table of quality figures, at most. */
  readonly rows: number;
  /** Whether quality is measured over HTTP too. */
  readonly withServer: boolean;
  /** Whether questions are also put to `/v1/query`, when quality is measured over HTTP. */
  readonly withAnswers: boolean;
  /** A file for the figures as JSON, or null. */
  readonly record: string | null;
}
