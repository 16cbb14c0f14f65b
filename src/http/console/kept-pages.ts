/** The console's pages as the build keeps them. */

/** Where, by the project's root. */
export const PAGES_ASSET = "build/console/pages.json";

/** A file as the build keeps it. */
export interface KeptFile {
  /** Its Content-Type. */
  readonly type: string;
  /** Of its content, as an ETag has it. */
  readonly tag: string;
  /** Compressed, in base64. */
  readonly br: string;
  readonly gzip: string;
}

/** What the build writes. */
export interface KeptPages {
  /** A hash of everything that they are made of. */
  readonly sources: string;
  /** The page itself. */
  readonly page: KeptFile;
  /** What it loads, by names that change with their content. */
  readonly assets: Readonly<Record<string, KeptFile>>;
}
