/**
 * Calendars and cards as objects with properties: the content lines that iCalendar (RFC 5545) and vCard (RFC 2426, 6350 and version 2.1)
 * share. Lines that are none are passed over, as address books do.
 */

export interface Property {
  /** Upper case, without its group. */
  readonly name: string;
  /** By their names in upper case; those without a name, as in vCard 2.1, are types. */
  readonly parameters: ReadonlyMap<string, string>;
  /** As it is written. */
  readonly value: string;
}

export interface Component {
  /** Upper case, e.g. "VEVENT". */
  readonly name: string;
  readonly properties: Property[];
  readonly components: Component[];
}

const PART = /([^:;,="]*)(?:=((?:"[^"]*"|[^:;"])*))?([:;])/y;
/** What has no text in it, and may be long. */
const NEVER_TEXT = new Set(["PHOTO", "LOGO", "SOUND", "KEY", "ATTACH"]);
/** Components inside one another that mean anything. */
const MOST_LEVELS = 4;
/** Characters of a line beyond which it is taken for data of a program. */
const LONGEST_LINE = 100_000;

/** The components at the top of the text, in order, each with all that lies in it. */
export function* componentsOf(text: string): Generator<Component> {
  const open: Component[] = [];
  let tooDeep = 0;
  for (const line of unfolded(text)) {
    const property = line.length > LONGEST_LINE ? null : propertyOf(line);
    if (property === null) continue;
    const { name, value } = property;
    const current = open.at(-1);
    if (name === "BEGIN" && open.length >= MOST_LEVELS) tooDeep += 1;
    else if (name === "BEGIN") {
      const component = { name: value.trim().toUpperCase(), properties: [], components: [] };
      current?.components.push(component);
      open.push(component);
    } else if (name === "END" && tooDeep > 0) tooDeep -= 1;
    else if (name === "END") {
      const ended = open.pop();
      if (ended !== undefined && open.length === 0) yield ended;
    } else if (tooDeep === 0 && !NEVER_TEXT.has(name)) current?.properties.push(property);
  }
  // A file that is cut off ends without saying so.
  if (open[0] !== undefined) yield open[0];
}

export function textValue({ properties }: Component, name: string): string {
  return plain(properties.find((property) => property.name === name)?.value ?? "");
}

/** A text as it is meant: without the marks before commas, semicolons and line breaks. */
export function plain(value: string): string {
  return value.replace(/\\([\\;,:nN])/g, (_, mark: string) => (mark.toLowerCase() === "n" ? "\n" : mark)).trim();
}

/** The parts of a value that a character separates, where it is not marked. */
export function partsOf(value: string, separator: ";" | ","): string[] {
  const parts = [""];
  for (const piece of value.match(/\\[^]|[^\\;,]+|[^]/g) ?? []) {
    if (piece === separator) parts.push("");
    else parts[parts.length - 1] += piece;
  }
  return parts.map(plain).filter((part) => part !== "");
}

/** Lines whose continuations, which begin with a blank, are joined to them; so are those of quoted-printable values, which end with "=". */
function* unfolded(text: string): Generator<string> {
  let pieces: string[] = [];
  let isQuoted = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const isSoft = isQuoted && pieces.at(-1)!.endsWith("=");
    if (pieces.length > 0 && (isSoft || /^[ \t]/.test(line))) {
      pieces.push(isSoft ? line : line.slice(1));
      continue;
    }
    if (pieces.length > 0) yield joined(pieces, isQuoted);
    pieces = [line];
    isQuoted = /^[^:]{0,200};(?:ENCODING=)?QUOTED-PRINTABLE[^:]*:/i.test(line);
  }
  if (pieces.length > 0) yield joined(pieces, isQuoted);
}

function joined(pieces: readonly string[], isQuoted: boolean): string {
  return isQuoted ? pieces.map((piece) => piece.replace(/=$/, "")).join("") : pieces.join("");
}

function propertyOf(line: string): Property | null {
  PART.lastIndex = 0;
  let name: string | undefined;
  const parameters = new Map<string, string>();
  for (;;) {
    const at = PART.lastIndex;
    const part = PART.exec(line);
    if (part === null) return null;
    const [, key = "", value, end] = part;
    if (name === undefined)
      name = key
        .slice(key.lastIndexOf(".") + 1)
        .trim()
        .toUpperCase();
    else if (value === undefined) addParameter(parameters, "TYPE", key);
    else addParameter(parameters, key.trim().toUpperCase(), value.replaceAll('"', ""));
    if (at === 0 && name === "") return null;
    if (end === ":") break;
  }
  const written = line.slice(PART.lastIndex);
  const isQuoted = /QUOTED-PRINTABLE/i.test(`${parameters.get("ENCODING")},${parameters.get("TYPE")}`);
  return { name, parameters, value: isQuoted ? unquoted(written, parameters.get("CHARSET")) : written };
}

function addParameter(parameters: Map<string, string>, name: string, value: string): void {
  const before = parameters.get(name);
  parameters.set(name, before === undefined ? value : `${before},${value}`);
}

/** A quoted-printable value; the text around it was decoded already, which did nothing to it as it is ASCII. */
function unquoted(value: string, charset = "utf-8"): string {
  const bytes = Buffer.from(
    value.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
  try {
    return new TextDecoder(charset.toLowerCase() as "utf-8").decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(bytes);
    throw error;
  }
}
