/** A listing that takes a process to make: whoever asks shortly after one another is told the same. */
export class KeptListing<Listed> {
  private kept: { readonly at: number; readonly listed: Promise<Listed> } | null = null;

  /** `milliseconds`: how old it may be. */
  constructor(
    private readonly read: () => Promise<Listed>,
    private readonly milliseconds: number,
  ) {}

  get(): Promise<Listed> {
    const now = performance.now();
    if (this.kept === null || now - this.kept.at > this.milliseconds) {
      const listed = this.read();
      this.kept = { at: now, listed };
      listed.catch(() => this.forget());
    }
    return this.kept.listed;
  }

  /** It is another one by now. */
  forget(): void {
    this.kept = null;
  }
}
