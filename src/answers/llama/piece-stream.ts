/** Pieces that arrive by messages, read by one consumer as they come. */
export class PieceStream<Piece> implements AsyncIterable<Piece> {
  private readonly pieces: Piece[] = [];
  private state:
    | { readonly kind: "open" }
    | { readonly kind: "ended" }
    | { readonly kind: "failed"; readonly error: unknown } = { kind: "open" };
  private wake: () => void = () => {};

  push(piece: Piece): void {
    if (this.state.kind !== "open") return;
    this.pieces.push(piece);
    this.wake();
  }

  end(): void {
    this.settle({ kind: "ended" });
  }

  /** The consumer gets what came before, then the error. */
  fail(error: unknown): void {
    this.settle({ kind: "failed", error });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Piece> {
    for (;;) {
      for (let piece = this.pieces.shift(); piece !== undefined; piece = this.pieces.shift()) yield piece;
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
