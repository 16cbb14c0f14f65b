/** Reads long file listings page by page, so that other requests get their turn in between. */
import { letOthersIn } from "../foundation/let-others-in.ts";
import type { FilePage, StoredFile } from "../store/index.ts";

/** Files read at one go: a few milliseconds, also where each has as much metadata as it may. */
export const PAGE_SIZE = 100;

/** Every file that `readPage` gives, newest first, read as it is asked for. What is stored or deleted meanwhile may or may not be among them. */
export function* pagesOf(readPage: (page: FilePage) => StoredFile[]): Generator<StoredFile[], void> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const page = readPage({ before, limit: PAGE_SIZE });
    yield page;
    if (page.length < PAGE_SIZE) return;
    before = page.at(-1)!.id;
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
