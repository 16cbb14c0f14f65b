/** Searches that run, for whoever must not take away what they may still show. */
export class RunningSearches {
  private readonly running = new Set<Promise<unknown>>();

  /** Does a search, and knows of it until it ends. */
  async during<Result>(search: () => Promise<Result>): Promise<Result> {
    const result = search();
    this.running.add(result);
    try {
      return await result;
    } finally {
      this.running.delete(result);
    }
  }

  /** Resolves when the searches that run now have ended, however they end. */
  async haveEnded(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}
