/** A model's files: the built-in model, or a folder that an operator brought. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../foundation/errors.ts";
import { embeddedGroupFolder, isCompiled, projectRoot, readAssetText } from "../native/index.ts";
import { parseManifest, type ModelManifest } from "./manifest.ts";

const BUILT_IN = "models/default";

/** Reads and checks the manifest of a model folder, null being the built-in model. Throws OPERATION_FAILED. */
export async function readManifest(modelDirectory: string | null): Promise<ModelManifest> {
  if (modelDirectory === null)
    return parseManifest(readAssetText(`${BUILT_IN}/manifest.json`), "the built-in model's manifest");
  const path = join(modelDirectory, "manifest.json");
  let json: string;
  try {
    json = await readFile(path, "utf8");
  } catch (cause) {
    throw fail(
      "OPERATION_FAILED",
      { reason: `${modelDirectory} is not a model folder: it has no readable manifest.json.` },
      undefined,
      cause,
    );
  }
  return parseManifest(json, path);
}

/** The folder on disk that holds a model's files; for the built-in model inside the executable it is unpacked first. */
export function modelFolder(modelDirectory: string | null): string {
  if (modelDirectory !== null) return modelDirectory;
  return isCompiled ? embeddedGroupFolder("model") : join(projectRoot, BUILT_IN);
}

/**
 * Checks every file of a model folder against its manifest's SHA-256, reading them as streams.
 * Throws OPERATION_FAILED, naming the file. It takes about a second per gigabyte.
 */
export async function verifyModelFiles(folder: string, manifest: Pick<ModelManifest, "files">): Promise<void> {
  for (const [file, expected] of Object.entries(manifest.files)) {
    const path = join(folder, file);
    let found: string;
    try {
      found = await sha256(path);
    } catch (cause) {
      throw fail("OPERATION_FAILED", { reason: `The model's file ${path} cannot be read.` }, undefined, cause);
    }
    if (found !== expected) {
      throw fail("OPERATION_FAILED", {
        reason: `The model's file ${path} is damaged or of another version: its SHA-256 is not the manifest's.`,
      });
    }
  }
}

/**
 * The identity that datasets record: name, version and the first 12 hex digits of the SHA-256 over all files' hashes,
 * so that another graph, other weights (they may lie in a file of their own) or another tokenizer is another model, and so is one
 * that reads chunks otherwise. Weights by which candidates are ranked make no vectors, and may change without anything being embedded anew.
 */
export function modelIdentity(manifest: ModelManifest): string {
  const hash = createHash("sha256");
  for (const file of Object.keys(manifest.files)
    .filter((name) => name !== manifest.search.ranking && name !== manifest.search.lexicon)
    .sort())
    hash.update(`${file} ${manifest.files[file]}\n`);
  if (manifest.leadWeighted) hash.update("leadWeighted\n");
  return `${manifest.name}@${manifest.version}#${hash.digest("hex").slice(0, 12)}`;
}

async function sha256(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Uint8Array);
  return hash.digest("hex");
}
