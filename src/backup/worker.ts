/** The backup Worker: checks databases, and copies blocks of one, beside the thread that makes or restores a backup. */
import { serveThread } from "../remote/serve.ts";
import { Blocks, type BlockRange, type BlockSettings, type PutBlocks } from "./blocks.ts";
import { DatabaseImage, type ImageRecord } from "./database-image.ts";
import { PartWriter } from "./parts.ts";
import { faultsIn } from "./quick-check.ts";

/** Blocks to copy into a backup's folder. The image's descriptors are this process's, and stay open meanwhile. */
export interface BlockWork {
  readonly image: ImageRecord;
  readonly folder: string;
  readonly settings: BlockSettings;
}

class BackupWork {
  private writer: PartWriter | null = null;
  private blocks: Blocks | null = null;

  faultsIn(path: string): string | null {
    return faultsIn(path);
  }

  /** Says of what `putBlocks` puts blocks. */
  copyFrom({ image, folder, settings }: BlockWork): void {
    this.writer = new PartWriter(folder, null);
    this.blocks = new Blocks(this.writer, new DatabaseImage(image), settings);
  }

  /** Also how many bytes were new. */
  putBlocks(range: BlockRange): PutBlocks & { written: number } {
    const before = this.writer!.written;
    const put = this.blocks!.put(range);
    return { ...put, written: this.writer!.written - before };
  }
}

export type { BackupWork };

serveThread(new BackupWork());
