/** Items that arrive by messages, read by one consumer as they come. */
export class ItemStream<Item> implements AsyncIterable<Item> {
  private readonly items: Item[] = [];
  private state:
    | { readonly kind: "open" }
    | { readonly kind: "ended" }
    | { readonly kind: "failed"; readonly error: unknown } = { kind: "open" };
  private wake: () => void = () => {};

  push(item: Item): void {
    if (this.state.kind !== "open") return;
    this.items.push(item);
    this.wake();
  }

  end(): void {
    this.settle({ kind: "ended" });
  }

  /** The consumer gets what came before, then the error. */
  fail(error: unknown): void {
    this.settle({ kind: "failed", error });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (;;) {
      for (let item = this.items.shift(); item !== undefined; item = this.items.shift()) yield item;
      if (this.state.kind === "ended") return;
      if (this.state.kind === "failed") throw this.state.error;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private settle(state: typeof this.state): void {
    if (this.state.kind !== "open") return;
    this.state = state;
    this.wake();
  }
}
