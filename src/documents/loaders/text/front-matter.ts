/** Front matter: YAML or TOML between two fences at the beginning of a text, in which the document says what it is. */
import type { DocumentProperties } from "../../../foundation/place.ts";
import { languageTag } from "../../language-tag.ts";
import { writtenDate } from "../../written-date.ts";

/** UTF-16 units of front matter that is understood; what is longer is only text. */
const LONGEST = 20_000;
/** Places that refer to another in YAML, where few can make much. */
const MOST_ALIASES = 20;

/** Names that programs which make pages of such texts know, the most usual first. */
const NAMES = {
  title: ["title"],
  author: ["author", "authors", "creator", "by"],
  date: ["date", "published", "pubdate", "publishdate", "created"],
  subject: ["description", "summary", "subject", "abstract", "excerpt", "subtitle"],
  language: ["lang", "language", "locale"],
} as const;

export interface FrontMatter {
  readonly format: "yaml" | "toml";
  readonly text: string;
  /** Lines up to the second fence, itself included. */
  readonly lines: number;
}

/** The front matter of a text given by its lines; null when it has none. */
export function frontMatterOf(lines: readonly string[]): FrontMatter | null {
  const fence = lines[0]?.trimEnd();
  if (fence !== "---" && fence !== "+++") return null;
  const end = lines.findIndex((line, index) => index > 0 && isEnd(line.trimEnd(), fence));
  const matter = lines.slice(1, Math.max(1, end));
  if (end < 0 || !matter.some((line) => /^[\w-]+\s*[:=]/.test(line))) return null;
  return { format: fence === "---" ? "yaml" : "toml", text: matter.join("\n"), lines: end + 1 };
}

/** What it says of the document; nothing where it is not well-formed, since it may be text that only looks like it. */
export async function describedIn({ format, text }: FrontMatter): Promise<DocumentProperties> {
  if (text.length > LONGEST) return {};
  const fields = new Map<string, unknown>();
  try {
    const parsed = format === "yaml" ? await parseYaml(text) : await parseToml(text);
    if (typeof parsed !== "object" || parsed === null) return {};
    for (const [name, value] of Object.entries(parsed)) fields.set(name.toLowerCase(), value);
  } catch {
    return {};
  }
  const first = (names: readonly string[]) =>
    names.map((name) => textOf(fields.get(name))).find((value) => value !== undefined);
  return {
    title: first(NAMES.title),
    author: first(NAMES.author),
    date: writtenDate(first(NAMES.date) ?? ""),
    subject: first(NAMES.subject),
    language: languageTag(first(NAMES.language) ?? ""),
  };
}

/** YAML may also be ended as YAML documents are. */
function isEnd(line: string, fence: string): boolean {
  return line === fence || (fence === "---" && line === "...");
}

/** Everything stays text: what is a date is decided elsewhere. */
async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import("yaml");
  return parse(text, { schema: "failsafe", maxAliasCount: MOST_ALIASES, logLevel: "error" });
}

async function parseToml(text: string): Promise<unknown> {
  const { parse } = await import("smol-toml");
  return parse(text);
}

/** A text, a date, or several texts or names one after the other. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() || undefined;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value))
    return (
      value
        .map(textOf)
        .filter((text) => text !== undefined)
        .join(", ") || undefined
    );
  return typeof value === "object" && value !== null && "name" in value ? textOf(value.name) : undefined;
}
