/** What lies in each of the data directories beside this, in `expected.json`: what the executable answered that wrote it. */
export interface Expected {
  /** API keys by customer. */
  readonly keys: Readonly<Record<string, string>>;
  readonly searches: {
    readonly customer: string;
    readonly datasetId: string;
    readonly question: string;
    /** Best first. */
    readonly passages: readonly { readonly fileId: string; readonly chunkIndex: number; readonly text: string }[];
  }[];
  readonly files: {
    readonly customer: string;
    readonly fileId: string;
    /** Of the bytes, hexadecimal. */
    readonly sha256: string;
    /** As its details show it, without its link. */
    readonly file: Readonly<Record<string, unknown>>;
  }[];
}
