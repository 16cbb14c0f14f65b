/** Reads long file listings page by page, so that other requests get their turn in between. */
import type { FilePage, StoredFile } from "../store/index.ts";

/** Files read at one go: about a millisecond. */
const PAGE_SIZE = 500;

/** Every file that `readPage` gives, newest first. What is stored or deleted while the pages are read may or may not be among them. */
export async function readAllPages(readPage: (page: FilePage) => StoredFile[]): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const page = readPage({ before, limit: PAGE_SIZE });
    files.push(...page);
    if (page.length < PAGE_SIZE) return files;
    before = page.at(-1)!.id;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
