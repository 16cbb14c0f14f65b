/** Databases as versions before the tokens' order was kept left them: their terms lie in `chunkTerms`, counted. */
import { Database } from "bun:sqlite";
import { appendTermCounts } from "../../src/store/chunk-tokens.ts";
import { documentsDatabasePath, openExisting } from "../../src/store/database.ts";
import { TermCounts } from "../../src/store/index.ts";
import { MOST_COUNTED } from "../../src/store/term-counts.ts";
import { leaveWithoutDiscarded, whenOf } from "./earlier-schemas.ts";

/** Writes a chunk's terms, in any order, as those versions did. */
export function encodeUnorderedTerms(terms: Iterable<number>): Uint8Array {
  const counted = [...Map.groupBy(terms, (term) => term)]
    .map(([term, all]) => ({ term, count: Math.min(MOST_COUNTED, all.length) }))
    .sort((left, right) => left.term - right.term);
  const bytes: number[] = [];
  const write = (value: number): void => {
    for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
    bytes.push(value);
  };
  counted.forEach(({ term, count }, index) => {
    write((term - (counted[index - 1]?.term ?? 0)) * 2 + (count > 1 ? 1 : 0));
    if (count > 1) write(count);
  });
  return Uint8Array.from(bytes);
}

/** The entries of each chunk: [term, count] in ascending order of term. */
export function entriesOf(contents: TermCounts): [number, number][][] {
  return contents.ends.map((end, chunk) => {
    const start = contents.ends[chunk - 1] ?? 0;
    return Array.from({ length: end - start }, (_, at) => [contents.terms[start + at]!, contents.counts[start + at]!]);
  });
}

/** Makes a database one that an older version wrote: without the order of all chunks' tokens, or of those that `isOld` names. Only while nobody writes. */
export function forgetOrder(dataDirectory: string, isOld: (chunkId: number) => boolean = () => true): void {
  using database = openExisting(documentsDatabasePath(dataDirectory));
  database
    .transaction(() => {
      for (const { chunkId, tokens } of database
        .query<{ chunkId: number; tokens: Uint8Array }, []>("SELECT chunkId, tokens FROM chunkTokens")
        .all()) {
        if (!isOld(chunkId)) continue;
        const counted = new TermCounts();
        appendTermCounts(counted, tokens);
        const terms = entriesOf(counted)[0]!.flatMap(([term, count]) => new Array<number>(count).fill(term));
        database.run("INSERT INTO chunkTerms (chunkId, terms) VALUES (?, ?)", [chunkId, encodeUnorderedTerms(terms)]);
        database.run("DELETE FROM chunkTokens WHERE chunkId = ?", [chunkId]);
      }
    })
    .immediate();
}

/** The same, and without the table: just as the last version before left it. */
export function leaveAsBefore(dataDirectory: string): void {
  leaveWithoutDiscarded(dataDirectory);
  forgetOrder(dataDirectory);
  using database = openExisting(documentsDatabasePath(dataDirectory));
  database.run("DROP TABLE chunkTokens");
  database.run("DELETE FROM __drizzle_migrations WHERE created_at = ?", [whenOf("0004_chunk_tokens")]);
}

/** How many chunks' terms are stored with their order, and how many without. */
export function storedTerms(dataDirectory: string): { ordered: number; unordered: number } {
  using database = new Database(documentsDatabasePath(dataDirectory), { readonly: true });
  return database
    .query<{ ordered: number; unordered: number }, []>(
      "SELECT (SELECT count(*) FROM chunkTokens) AS ordered, (SELECT count(*) FROM chunkTerms) AS unordered",
    )
    .get()!;
}
