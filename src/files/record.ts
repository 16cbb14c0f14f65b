/** The record beside each stored file: what an upload said of it, enough to index it again without the database. Pure. */

/** What a file is called where it comes from; null: nothing was said. */
export interface OwnersNames {
  readonly externalId: string | null;
  /** "/" between folders. */
  readonly relativePath: string | null;
}

/** Records that older versions wrote know no owner's names. */
export interface UploadRecord extends Partial<OwnersNames> {
  readonly fileId: string;
  readonly customerId: string;
  /** The dataset's name, as callers know it. */
  readonly datasetId: string;
  readonly originalName: string;
  readonly mimeType: string | null;
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, hexadecimal. */
  readonly sha256: string;
  /** Spoken in it, and written in its pictures, as its upload said; left out where it said nothing. */
  readonly language?: string | null;
  readonly ocrLanguages?: readonly string[];
  readonly extraMeta: Record<string, unknown> | null;
  /** Tokens. */
  readonly chunkSize: number;
  /** Tokens. */
  readonly chunkOverlap: number;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/** UUID version 7, as file ids are. */
export const FILE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const writeRecord = (record: UploadRecord): string => `${JSON.stringify(record)}\n`;

/** null when the text is not a whole record of this file. */
export function readRecord(fileId: string, text: string): UploadRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const record = value as Record<keyof UploadRecord, unknown>;
  const texts = [record.customerId, record.datasetId, record.originalName];
  const names = [record.externalId ?? null, record.relativePath ?? null, record.language ?? null];
  const ocrLanguages = record.ocrLanguages ?? [];
  const counts = [record.size, record.chunkSize, record.chunkOverlap, record.created];
  const isWhole =
    record.fileId === fileId &&
    texts.every((text) => typeof text === "string" && text !== "") &&
    names.every((name) => name === null || (typeof name === "string" && name !== "")) &&
    Array.isArray(ocrLanguages) &&
    ocrLanguages.every((language) => typeof language === "string" && language !== "") &&
    counts.every((count) => Number.isSafeInteger(count) && (count as number) >= 0) &&
    typeof record.sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(record.sha256) &&
    (record.mimeType === null || typeof record.mimeType === "string") &&
    typeof record.extraMeta === "object" &&
    !Array.isArray(record.extraMeta);
  return isWhole ? (record as UploadRecord) : null;
}
