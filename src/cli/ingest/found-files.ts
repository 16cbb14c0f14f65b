/** All that a walk finds, together, and what each file is called where it goes. */
import type { OwnersNames } from "../../files/index.ts";
import { LecternError } from "../../foundation/errors.ts";
import { readExternalId, readRelativePath } from "../../operations/owners-names.ts";
import type { LocalFile } from "../document-service.ts";
import type { Failure } from "./upload-all.ts";
import { LEFT_OUT, walk, type FoundFile, type LeftOut, type WalkOptions } from "./walk.ts";

export interface Found {
  readonly files: LocalFile[];
  readonly failures: Failure[];
  readonly leftOut: Record<LeftOut, number>;
  /** By path, where it came in the walk. */
  readonly position: Map<string, number>;
}

/** How files are called where they go. */
export interface Naming {
  /** Whether each takes the place of its former version, which is known by its relative path. */
  readonly replaces: boolean;
  /** What comes before the relative path of each; null: nothing. */
  readonly under: string | null;
}

/** Walks the paths. A file that cannot be told from another, or cannot be called by its path, is a failure where it is to be known again. */
export async function findFiles(paths: readonly string[], options: WalkOptions, naming: Naming): Promise<Found> {
  const leftOut = Object.fromEntries(LEFT_OUT.map((reason) => [reason, 0])) as Record<LeftOut, number>;
  const found: Found = { files: [], failures: [], leftOut, position: new Map() };
  const taken = new Set<string>();
  for await (const finding of walk(paths, options)) {
    if ("leftOut" in finding) {
      leftOut[finding.leftOut]++;
      continue;
    }
    const { path } = "file" in finding ? finding.file : finding.failure;
    found.position.set(path, found.position.size);
    const named = "file" in finding ? nameFile(finding.file, naming, taken) : finding.failure;
    if ("sentence" in named) found.failures.push({ ...named, isOfFile: true });
    else found.files.push(named);
  }
  return found;
}

function nameFile({ path, relative }: FoundFile, naming: Naming, taken: Set<string>): LocalFile | Failure {
  const names = namesOf(relative, naming);
  if (typeof names === "string") return { path, sentence: names };
  const { externalId } = names;
  if (externalId !== null && taken.has(externalId))
    return {
      path,
      sentence: "Another file has the same path in its folder. Sync the folders one by one, each with its own --under.",
    };
  if (externalId !== null) taken.add(externalId);
  return { path, ...names };
}

/** What a file is called, or why it cannot be. A file that is only added does without a path that cannot be shown. */
function namesOf(relative: string, { replaces, under }: Naming): OwnersNames | string {
  try {
    const relativePath = readRelativePath(under === null ? relative : `${under}/${relative}`);
    return { externalId: replaces ? readExternalId(relativePath) : null, relativePath };
  } catch (error) {
    if (!(error instanceof LecternError)) throw error;
    return replaces ? error.message : { externalId: null, relativePath: null };
  }
}
