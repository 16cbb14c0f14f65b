/**
 * The kinds of value an option can have: how each is read from text (flag, variable) or TOML, checked, and described.
 *
 * A reader returns the value or throws an `Error` whose message finishes the sentence "NAME must be …".
 */

export interface Option<T> {
  /** Without the dashes; the variable and the TOML key are derived from it. */
  readonly flag: string;
  readonly default: T;
  /** What `--help` and the README say, one sentence. */
  readonly sentence: string;
  /** What the value may look like, e.g. `1-65535`. */
  readonly accepts: string;
  /** The default as the tables print it, where the value itself would mislead (computed from the machine, unset). */
  readonly defaultText?: string;
  /** May be read from the file named by the variable's `_FILE` twin, and never appears in a log. */
  readonly secret?: boolean;
  /** False for what cannot sensibly stand in the data directory's own file. */
  readonly inFile?: boolean;
  readonly read: (raw: string | number | boolean) => T;
}

type Described<T> = Omit<Option<T>, "accepts" | "read">;

/** Bytes, decimal and binary units. */
export const byteUnits: Readonly<Record<string, number>> = {
  b: 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** Megabytes (2^20 bytes): a bare number counts megabytes. */
export const megabyteUnits: Readonly<Record<string, number>> = { m: 1, mb: 1, mib: 1, g: 1024, gb: 1024, gib: 1024 };

/** Seconds. */
export const secondUnits: Readonly<Record<string, number>> = { s: 1, sec: 1, min: 60, h: 3600 };

/** Plain counts, with the decimal suffixes people write. */
export const countUnits: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 };

/** A whole number in [minimum, maximum], optionally written with a unit: `100MiB`, `2min`, `50k`. */
export function integer(
  definition: Described<number> & { minimum: number; maximum: number; units?: Readonly<Record<string, number>> },
): Option<number> {
  const { minimum, maximum, units = {}, ...described } = definition;
  const unitNames = Object.keys(units);
  const example = unitNames.length > 0 ? `, units ${unitNames.join(" ")}` : "";
  const accepts = `${minimum}-${maximum}${example}`;
  return {
    ...described,
    accepts,
    read(raw) {
      const value = typeof raw === "number" ? raw : typeof raw === "string" ? parseWithUnit(raw, units) : Number.NaN;
      if (!Number.isSafeInteger(value) || value < minimum || value > maximum)
        throw new Error(`a whole number in ${accepts}`);
      return value;
    },
  };
}

interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

/** A number in [minimum, maximum]. */
export function decimal({ minimum, maximum, ...described }: Described<number> & Range): Option<number> {
  return { ...described, accepts: `${minimum}-${maximum}`, read: (raw) => readDecimal(raw, { minimum, maximum }) };
}

/** A number in [minimum, maximum], or null when it is not given. */
export function optionalDecimal({ minimum, maximum, ...described }: Described<null> & Range): Option<number | null> {
  return { ...described, accepts: `${minimum}-${maximum}`, read: (raw) => readDecimal(raw, { minimum, maximum }) };
}

function readDecimal(raw: string | number | boolean, { minimum, maximum }: Range): number {
  const value = typeof raw === "string" && /^\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : raw;
  if (typeof value !== "number" || !(value >= minimum && value <= maximum))
    throw new Error(`a number in ${minimum}-${maximum}`);
  return value;
}

/** Any non-empty text that passes `check`. */
export function text(
  definition: Described<string> & { accepts: string; check?: (value: string) => boolean },
): Option<string> {
  const { check = () => true, ...described } = definition;
  return { ...described, read: (raw) => readText(raw, described.accepts, check) };
}

/** Text, or null when it is not given. */
export function optionalText(
  definition: Described<null> & { accepts: string; check?: (value: string) => boolean },
): Option<string | null> {
  const { check = () => true, ...described } = definition;
  return { ...described, read: (raw) => readText(raw, described.accepts, check) };
}

/** One of a few words. */
export function choice<const Word extends string>(
  definition: Described<NoInfer<Word>> & { words: readonly Word[] },
): Option<Word> {
  const { words, ...described } = definition;
  return { ...described, accepts: words.join("|"), read: (raw) => readWord(raw, words) };
}

/** One of a few words, or null when it is not given. */
export function optionalChoice<const Word extends string>(
  definition: Described<null> & { words: readonly Word[] },
): Option<Word | null> {
  const { words, ...described } = definition;
  return { ...described, accepts: words.join("|"), read: (raw) => readWord(raw, words) };
}

function readWord<Word extends string>(raw: unknown, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === raw);
  if (word === undefined) throw new Error(`one of ${words.join(", ")}`);
  return word;
}

function readText(raw: string | number | boolean, accepts: string, check: (value: string) => boolean): string {
  if (typeof raw !== "string" || raw === "" || raw.includes("\0") || !check(raw)) throw new Error(accepts);
  return raw;
}

function parseWithUnit(raw: string, units: Readonly<Record<string, number>>): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(raw.trim());
  if (!match) return Number.NaN;
  const unit = match[2]!.toLowerCase();
  const factor = unit === "" ? 1 : units[unit];
  return factor === undefined ? Number.NaN : Number(match[1]) * factor;
}
