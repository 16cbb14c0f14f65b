/** How metadata fields become rows that filters can look up: exact by JSON type and value, whatever characters they hold. */
import { createHash } from "node:crypto";
import { FILTERED_PLACE_KEYS, PROPERTY_KEYS, type PassagePlace } from "../foundation/place.ts";

/** Longer texts are kept as their hash: nothing is ever read back from them, only compared. */
const MAX_PLAIN_CHARACTERS = 200;
/** Of one chunk: it is of so many pages only where these hold next to nothing. */
const MOST_ATTRIBUTES = 256;
/** Datasets, keys and values that numbers of attributes tell apart. */
const DATASETS = 2 ** 12;
const PLACES = 2 ** 4;
const HASHES = 2 ** 36;

/** The text under which a key or a value is looked up: its JSON, so that `"1"` and `1` differ, or, when that is long, `#` and its SHA-256. */
export function attributeText(value: string | number | boolean): string {
  const json = JSON.stringify(value);
  return json.length <= MAX_PLAIN_CHARACTERS ? json : `#${createHash("sha256").update(json).digest("hex")}`;
}

/** An object as JSON; null where nothing is in it. */
export function jsonUnlessEmpty(object: object | undefined): string | null {
  const json = JSON.stringify(object ?? {});
  return json === "{}" ? null : json;
}

interface Attribute {
  key: string;
  value: string | number | boolean;
}

const placeOrder: readonly string[] = FILTERED_PLACE_KEYS;
const placeKeys: ReadonlySet<string> = new Set(placeOrder);
const propertyKeys: ReadonlySet<string> = new Set(PROPERTY_KEYS);

/** Whether a filter on this key may be meant for where chunks stand. */
export function isPlaceKey(key: string): boolean {
  return placeKeys.has(key);
}

/** What is known of a file besides its chunks. */
export interface FileDescription {
  /** JSON. */
  extraMeta: string | null;
  /** JSON. */
  properties: string | null;
  relativePath: string | null;
}

/**
 * What a filter can match of a file: where it lies, what the document says of itself, and the top-level strings, numbers and booleans of
 * extraMeta that these say nothing of.
 */
export function attributesOf(file: FileDescription): Attribute[] {
  const properties = scalarsOf(parsed(file.properties)).filter(({ key }) => propertyKeys.has(key));
  const ours = file.relativePath === null ? properties : [{ key: "path", value: file.relativePath }, ...properties];
  const own = new Set(ours.map(({ key }) => key));
  return [...ours, ...scalarsOf(parsed(file.extraMeta)).filter(({ key }) => !own.has(key))];
}

/** The one of them under a key, or undefined. */
export function attributeOf(file: FileDescription, key: string): Attribute["value"] | undefined {
  if (key === "path" && file.relativePath !== null) return file.relativePath;
  const own = propertyKeys.has(key) ? scalarOf(parsed(file.properties), key) : undefined;
  return own ?? scalarOf(parsed(file.extraMeta), key);
}

/** What a filter can match of a chunk's place: of a span of pages or slides each of them, of others where it begins. */
export function placeAttributes(place: PassagePlace): Attribute[] {
  const attributes = scalarsOf(place).filter(({ key }) => placeKeys.has(key));
  for (const [key, last] of [
    ["page", place.lastPage],
    ["slide", place.lastSlide],
  ] as const) {
    const first = place[key];
    if (first === undefined || last === undefined) continue;
    for (let value = first + 1; value <= last && attributes.length < MOST_ATTRIBUTES; value++)
      attributes.push({ key, value });
  }
  return attributes;
}

/**
 * The number under which what a chunk's place says is looked up, 53 bits: the lowest of the dataset's, which of the keys it is, and the
 * value, so that what is added to a dataset lies together; a whole number is itself, anything else a hash (36 bits of a SHA-256). Chunks of
 * another dataset under the same number are no matches for whoever looks into one dataset.
 */
export function placeAttribute(datasetId: number, { key, value }: Attribute): number {
  const place = (datasetId % DATASETS) * PLACES + placeOrder.indexOf(key);
  return place * 2 * HASHES + valueNumber(value);
}

/** The numbers of all attributes of one key: first those of whole numbers, which are `first` and the number itself, then the others'. */
export function placeNumbers(datasetId: number, key: string): { first: number; firstHash: number; last: number } {
  const first = placeAttribute(datasetId, { key, value: 0 });
  return { first, firstHash: first + HASHES, last: first + 2 * HASHES - 1 };
}

function valueNumber(value: Attribute["value"]): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value < HASHES) return value;
  return HASHES + (createHash("sha256").update(JSON.stringify(value)).digest().readUIntBE(0, 6) % HASHES);
}

function parsed(json: string | null): object {
  return json === null ? {} : (JSON.parse(json) as object);
}

function scalarsOf(fields: object): Attribute[] {
  return Object.entries(fields).flatMap(([key, value]: [string, unknown]) => (isScalar(value) ? [{ key, value }] : []));
}

function scalarOf(fields: object, key: string): Attribute["value"] | undefined {
  const value: unknown = Object.hasOwn(fields, key) ? (fields as Record<string, unknown>)[key] : undefined;
  return isScalar(value) ? value : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
