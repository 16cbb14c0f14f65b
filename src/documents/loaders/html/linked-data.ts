/** What JSON-LD says of the page it stands in: the first article, or other creative work, described in it. */

/** Values looked at in search of it. */
const MOST_VALUES = 2000;
const MOST_AUTHORS = 10;
const WORK = /(?:Article|Posting|Report|WebPage|Book|Recipe|HowTo|Course|Dataset|Event|Product|FAQPage)$/;

export interface LinkedData {
  title?: string;
  author?: string;
  date?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Texts that are no JSON say nothing. */
export function linkedData(texts: readonly string[]): LinkedData {
  const works = texts.flatMap((text) => worksIn(parsed(text)));
  // A page's article says more than the page around it.
  const work = works.find(({ headline }) => headline !== undefined) ?? works[0];
  if (work === undefined) return {};
  return {
    title: textOf(work.headline) ?? textOf(work.name),
    author: authorOf(work.author ?? work.creator),
    date: textOf(work.datePublished) ?? textOf(work.dateCreated),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Many sites' data is not well-formed; it is no part of the page's text.
    return null;
  }
}

function worksIn(data: unknown): Fields[] {
  const works: Fields[] = [];
  const open: unknown[] = [data];
  for (let looked = 0; open.length > 0 && looked < MOST_VALUES; looked += 1) {
    const value = open.shift();
    if (Array.isArray(value)) open.push(...value.slice(0, Math.max(0, MOST_VALUES - open.length)));
    else if (isFields(value)) {
      const types = [value["@type"]].flat().filter((type) => typeof type === "string");
      if (types.some((type) => WORK.test(type))) works.push(value);
      open.push(value["@graph"], value.mainEntity);
    }
  }
  return works;
}

function authorOf(value: unknown): string | undefined {
  const names = [value]
    .flat()
    .slice(0, MOST_AUTHORS)
    .map((author) => textOf(isFields(author) ? author.name : author));
  return names.filter((name) => name !== undefined).join(", ") || undefined;
}

function textOf(value: unknown): string | undefined {
  const [first] = [value].flat();
  return typeof first === "string" && !/^https?:/i.test(first) && first.trim() !== "" ? first : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
