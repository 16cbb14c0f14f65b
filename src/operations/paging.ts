/** Reads long file listings page by page, so that other requests get their turn in between. */
import { letOthersIn } from "../foundation/let-others-in.ts";
import type { FilePage, StoredFile } from "../store/index.ts";

/** Files read at one go: a few milliseconds, also where each has as much metadata as it may. */
export const PAGE_SIZE = 100;

const ALL: FilePage = { before: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY };

/**
 * Every file that `readPage` gives, or a part of them, newest first, read as it is asked for. What is stored or deleted meanwhile may or
 * may not be among them. Returns the row before which the next part begins; null where there is none.
 */
export function* pagesOf(
  readPage: (page: FilePage) => StoredFile[],
  part: FilePage = ALL,
): Generator<StoredFile[], number | null> {
  for (let { before, limit: left } = part; ; ) {
    const limit = Math.min(PAGE_SIZE, left);
    const page = readPage({ before, limit });
    yield page;
    if (page.length < limit) return null;
    before = page.at(-1)!.id;
    left -= limit;
    if (left === 0) return readPage({ before, limit: 1 }).length > 0 ? before : null;
  }
}

/** All pages in one list. */
export async function collect(pages: Iterable<StoredFile[]>): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const page of pages) {
    files.push(...page);
    await letOthersIn();
  }
  return files;
}
