/**
 * The console's pages as they are sent: compressed once, by the build, and read when somebody first asks. From source they are made of what
 * lies in src/console, and kept until that changes.
 */
import { isCompiled, readAssetText } from "../../native/assets.ts";

/** Where the build keeps them, by the project's root. */
export const PAGES_ASSET = "build/console/pages.json";

export interface PageFile {
  /** Its Content-Type. */
  readonly type: string;
  /** Of its content, as an ETag has it. */
  readonly tag: string;
  /** Compressed, in base64. */
  readonly br: string;
  readonly gzip: string;
}

/** What the build writes. */
export interface PackedPages {
  /** A hash of everything that they are made of. */
  readonly sources: string;
  /** The page itself. */
  readonly page: PageFile;
  /** What it loads, by names that change with their content. */
  readonly assets: Readonly<Record<string, PageFile>>;
}

let reading: Promise<PackedPages> | null = null;

/** Read or made once; a failure is tried again. Throws OPERATION_FAILED inside an executable that lacks them. */
export function readPages(): Promise<PackedPages> {
  reading ??= (isCompiled ? readPacked() : makeOfSources()).catch((error: unknown) => {
    reading = null;
    throw error;
  });
  return reading;
}

async function readPacked(): Promise<PackedPages> {
  return JSON.parse(readAssetText(PAGES_ASSET)) as PackedPages;
}

async function makeOfSources(): Promise<PackedPages> {
  const { packPages } = await import("./pack-pages.ts");
  return packPages();
}
