/** A listing that is fetched page by page, as far as it is read. */

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Asks for the page behind it; null on the last. */
  readonly nextCursor: string | null;
}

/** `for await (const item of listing)`, or page by page. Each time it is iterated it begins anew. */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<Page<Item>>;

  constructor(fetchPage: (cursor: string | undefined) => Promise<Page<Item>>) {
    this.#fetchPage = fetchPage;
  }

  /** From the first page on, or from behind `cursor`. */
  async *pages(cursor?: string): AsyncGenerator<Page<Item>> {
    for (let next: string | null | undefined = cursor; next !== null; ) {
      const page: Page<Item> = await this.#fetchPage(next);
      yield page;
      next = page.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const { items } of this.pages()) yield* items;
  }

  async toArray(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}
