/** The fields of an upload's form. Pure. */
import type { UploadFile } from "./upload-file.ts";

export interface UploadFields {
  /** Required with an API key; a frontend token brings its own. */
  readonly datasetId?: string | undefined;
  /** Tokens of a passage; 300. */
  readonly chunkSize?: number | undefined;
  /** Tokens that neighbouring passages share; 20. */
  readonly chunkOverlap?: number | undefined;
  /** Metadata of the files, to filter by. */
  readonly extraMeta?: Readonly<Record<string, unknown>> | undefined;
  /** Spoken in the files, as BCP 47 has it; else it is found out. */
  readonly language?: string | undefined;
  /** Written in scans and pictures; else they are found out. */
  readonly ocrLanguages?: readonly string[] | undefined;
}

type Named = Pick<UploadFile, "name" | "externalId" | "path">;

/** Throws TypeError where the form could not tell the files apart. */
export function uploadFields(fields: UploadFields, files: readonly Named[]): Map<string, string> {
  const { datasetId, chunkSize, chunkOverlap, extraMeta, language, ocrLanguages } = fields;
  const written = {
    datasetId,
    chunkSize: chunkSize === undefined ? undefined : String(chunkSize),
    chunkOverlap: chunkOverlap === undefined ? undefined : String(chunkOverlap),
    extraMeta: extraMeta === undefined ? undefined : JSON.stringify(extraMeta),
    language,
    ocrLanguages: ocrLanguages === undefined ? undefined : JSON.stringify(ocrLanguages),
    ...(files.length === 1
      ? { externalId: files[0]!.externalId, path: files[0]!.path }
      : { externalIds: byName(files, "externalId"), paths: byName(files, "path") }),
  };
  return new Map(Object.entries(written).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** A JSON object by file name, the only thing that a form of several files knows them by; undefined where it would be empty. */
function byName(files: readonly Named[], field: "externalId" | "path"): string | undefined {
  const named = files.filter((file) => file[field] !== undefined);
  for (const { name } of named)
    if (files.filter((file) => file.name === name).length > 1)
      throw new TypeError(
        `Two files of one upload are called ${JSON.stringify(name)}: send those that have an ${field} by themselves.`,
      );
  return named.length === 0
    ? undefined
    : JSON.stringify(Object.fromEntries(named.map((file) => [file.name, file[field]])));
}
