/** What an upload says its files are called where they come from: by which a file takes the place of a former one. Pure. */
import type { OwnersNames } from "../files/index.ts";
import { fail } from "../foundation/errors.ts";
import { fieldLimits } from "../foundation/field-limits.ts";
import { excessOf } from "../foundation/json-shape.ts";

/** The form's fields that speak of files. `externalId` and `path` are for a form of one file, the others for one of several. */
export interface NameFields {
  readonly externalId: string | undefined;
  /** JSON object: external ids by file name. */
  readonly externalIds: string | undefined;
  readonly path: string | undefined;
  /** JSON object: paths by file name. */
  readonly paths: string | undefined;
}

const CONTROL = /[\p{Cc}\p{Cs}]/u;

/**
 * The names of each file, in the files' order; null where one has none. Throws INVALID_REQUEST for fields of the wrong shape, for a file
 * that is not there, where two files would have one external id, and as `readExternalId` and `readRelativePath` do.
 */
export function readOwnersNames(fields: NameFields, fileNames: readonly string[]): OwnersNames[] {
  const externalIds = namesOf("externalId", "externalIds", fields, fileNames);
  const paths = namesOf("path", "paths", fields, fileNames);
  const names = fileNames.map((_, at) => ({
    externalId: externalIds[at] === null ? null : readExternalId(externalIds[at]!),
    relativePath: paths[at] === null ? null : readRelativePath(paths[at]!),
  }));
  const given = names.map(({ externalId }) => externalId).filter((externalId) => externalId !== null);
  const twice = given.find((externalId, at) => given.indexOf(externalId) !== at);
  if (twice !== undefined) throw invalid(`two files have the externalId ${JSON.stringify(twice)}.`);
  return names;
}

/** Throws INVALID_REQUEST unless it is of 1 to 512 characters, none of them a control character or half of a surrogate pair. */
export function readExternalId(text: string): string {
  const { minLength, maxLength } = fieldLimits.externalId;
  if (text.length < minLength || text.length > maxLength)
    throw invalid(`an externalId must be between ${minLength} and ${maxLength} characters.`);
  if (CONTROL.test(text)) throw invalid("an externalId holds a control character or a broken surrogate pair.");
  return text;
}

/**
 * The path in one form: NFC, "/" between folders, none of them "." . Throws INVALID_REQUEST for one that is empty, too long, absolute, or
 * leads upwards, and for control characters.
 */
export function readRelativePath(text: string): string {
  const { maxLength } = fieldLimits.relativePath;
  if (CONTROL.test(text)) throw invalid("a path holds a control character or a broken surrogate pair.");
  const parts = text.normalize("NFC").replaceAll("\\", "/").split("/");
  if (parts[0] === "" || /^[a-z]:$/i.test(parts[0]!)) throw invalid(`the path ${shown(text)} is not relative.`);
  if (parts.includes("..")) throw invalid(`the path ${shown(text)} leads out of its folder.`);
  const path = parts.filter((part) => part !== "" && part !== ".").join("/");
  if (path === "") throw invalid(`the path ${shown(text)} names no file.`);
  if (path.length > maxLength) throw invalid(`a path must be of at most ${maxLength} characters.`);
  return path;
}

function namesOf(
  one: "externalId" | "path",
  several: "externalIds" | "paths",
  fields: NameFields,
  fileNames: readonly string[],
): (string | null)[] {
  const [single, byName] = [fields[one] || undefined, fields[several] || undefined];
  if (single !== undefined && byName !== undefined) throw invalid(`${one} and ${several} are given both.`);
  if (single !== undefined) {
    if (fileNames.length > 1)
      throw invalid(`${one} is for one file; for several, send ${several}, a JSON object by file name.`);
    return [single];
  }
  const names = byName === undefined ? new Map<string, string>() : readNames(several, byName);
  for (const name of names.keys()) {
    const count = fileNames.filter((fileName) => fileName === name).length;
    if (count === 0) throw invalid(`${several} speaks of ${shown(name)}, which is not among the files.`);
    if (count > 1)
      throw invalid(`${several} speaks of ${shown(name)}, which ${count} files are called; send them apart.`);
  }
  return fileNames.map((name) => names.get(name) ?? null);
}

function readNames(field: string, text: string): Map<string, string> {
  const excess = excessOf(text);
  if (excess !== null) throw invalid(`${field} ${excess}.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fail("INVALID_REQUEST", { reason: `${field} is not JSON.` }, undefined, error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`${field} is not a JSON object by file name.`);
  const entries = Object.entries(value as Record<string, unknown>);
  const wrong = entries.find(([, name]) => typeof name !== "string");
  if (wrong !== undefined) throw invalid(`${field} holds something else than a string for ${shown(wrong[0])}.`);
  return new Map(entries as [string, string][]);
}

const shown = (text: string): string => JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 99)}…`);

const invalid = (reason: string): Error => fail("INVALID_REQUEST", { reason });
