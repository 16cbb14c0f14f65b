/** How much the file system of the data directory has left, asked often and looked up seldom. */
import { statfs } from "node:fs/promises";

/** Milliseconds for which a look at the file system holds, less what was noted since. */
const FRESH_MILLISECONDS = 250;

export class FreeSpace {
  private bytes = 0;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly directory: string) {}

  /** Bytes that this process's user may still write. */
  async left(): Promise<number> {
    if (performance.now() - this.lookedAt > FRESH_MILLISECONDS) {
      const { bavail, bsize } = await statfs(this.directory);
      this.bytes = bavail * bsize;
      this.lookedAt = performance.now();
    }
    return this.bytes;
  }

  /** Bytes are about to be written. */
  note(bytes: number): void {
    this.bytes -= bytes;
  }
}
