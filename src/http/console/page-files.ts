/**
 * The console's pages as they are sent: compressed once, by the build, and read when somebody first asks. From source they are made of what
 * lies in src/console, and kept until that changes.
 */
import { isCompiled, readAssetText } from "../../native/assets.ts";
import type { PackedFile } from "../packed-file.ts";
import { PAGES_ASSET, type KeptFile, type KeptPages } from "./kept-pages.ts";

/** As they are sent. */
export interface Pages {
  readonly page: PackedFile;
  readonly assets: ReadonlyMap<string, PackedFile>;
}

let reading: Promise<Pages> | null = null;

/** Read or made once; a failure is tried again. Throws OPERATION_FAILED. */
export function readPages(): Promise<Pages> {
  reading ??= (isCompiled ? readKept() : makeOfSources()).then(toBeSent).catch((error: unknown) => {
    reading = null;
    throw error;
  });
  return reading;
}

async function readKept(): Promise<KeptPages> {
  return JSON.parse(readAssetText(PAGES_ASSET)) as KeptPages;
}

async function makeOfSources(): Promise<KeptPages> {
  const { packPages } = await import("./pack-pages.ts");
  return packPages();
}

function toBeSent({ page, assets }: KeptPages): Pages {
  return {
    page: packedFile(page),
    assets: new Map(Object.entries(assets).map(([name, file]) => [name, packedFile(file)])),
  };
}

function packedFile({ type, tag, br, gzip }: KeptFile): PackedFile {
  const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64"));
  return {
    type,
    tag,
    content: new Map([
      ["br", bytes(br)],
      ["gzip", bytes(gzip)],
    ]),
  };
}
