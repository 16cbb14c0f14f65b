/** Keeps the reserve file on the disk while there is room for it, and knows when there is not. */
import { randomFillSync } from "node:crypto";
import { rmSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import type { Log } from "../foundation/log.ts";
import { reserveFilePath } from "../store/reserve-file.ts";
import type { FreeSpace } from "./free-space.ts";

/** Bytes written at a time. */
const BLOCK_BYTES = 1024 * 1024;

export class DiskReserve {
  private readonly path: string;
  private isMissing = false;

  /** `bytes`: the file's size; 0: there is none. */
  constructor(
    dataDirectory: string,
    private readonly bytes: number,
    private readonly space: FreeSpace,
    private readonly log: Log,
  ) {
    this.path = reserveFilePath(dataDirectory);
    // What a killed process had begun: nobody else works in the data directory now.
    rmSync(`${this.path}.partial`, { force: true });
  }

  /** Whether the reserve was given up, or never made, and the disk has no room for it. */
  get missing(): boolean {
    return this.isMissing;
  }

  /** Makes the file where it is not there and the disk has room for it and as much again. To be called every now and then. */
  async keep(): Promise<void> {
    const isThere = (await this.isWhole()) || ((await this.space.left()) >= 2 * this.bytes && (await this.make()));
    if (isThere === !this.isMissing) return;
    this.isMissing = !isThere;
    if (isThere) this.log.info("The disk has room again; uploads are accepted");
    else
      this.log.error(
        "The disk is full: uploads are refused, and what is left is kept for searches and deletions. Delete files or free some space",
      );
  }

  private async isWhole(): Promise<boolean> {
    if (this.bytes === 0) return true;
    try {
      return (await stat(this.path)).size >= this.bytes;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return false;
    }
  }

  /** Whether it could be made. */
  private async make(): Promise<boolean> {
    const partial = `${this.path}.partial`;
    try {
      await fill(partial, this.bytes);
      await rename(partial, this.path);
      return true;
    } catch (error) {
      await rm(partial, { force: true });
      this.log.debug("The disk's reserve could not be made", { cause: error });
      return false;
    }
  }
}

/** Writes a file of noise: a hole, or what the file system can compress, would take no room and give none back. */
async function fill(path: string, bytes: number): Promise<void> {
  const block = randomFillSync(Buffer.alloc(Math.min(BLOCK_BYTES, bytes)));
  const file = await open(path, "w", 0o600);
  try {
    for (let left = bytes; left > 0; left -= block.byteLength) await file.writeFile(block.subarray(0, left));
    await file.sync();
  } finally {
    await file.close();
  }
}
