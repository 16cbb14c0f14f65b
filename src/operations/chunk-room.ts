/**
 * How many chunks uploads may hold in memory, with their vectors, until they are stored. A page can be cut into thousands of
 * small overlapping chunks, so limits on bytes alone bound nothing.
 */
import { fail } from "../errors.ts";

/** Uploads of the largest size for which there is room at the same time. */
const LARGEST_UPLOADS = 2;
/** Seconds after which an upload refused for lack of room may try again. */
const RETRY_WHEN_FULL = 5;

/** What one upload holds. */
export interface ChunkShare {
  /**
   * Notes that the upload holds the chunks of one more file, `file` by name. Throws UNREADABLE_FILE when its files together make
   * more chunks than an upload may, BUSY when the uploads that run hold too many.
   */
  take(count: number, file: string): void;
  /** The upload holds nothing any more. */
  release(): void;
}

export interface ChunkRoom {
  share(): ChunkShare;
}

/** `maxUploadChunks`: chunks of one upload. */
export function openChunkRoom(maxUploadChunks: number): ChunkRoom {
  const room = maxUploadChunks * LARGEST_UPLOADS;
  let held = 0;
  return {
    share() {
      let own = 0;
      return {
        take(count, file) {
          if (own + count > maxUploadChunks) {
            const reason = `with the upload's other files it makes more than ${maxUploadChunks} chunks; use larger chunks or send the files apart`;
            throw fail("UNREADABLE_FILE", { file, reason }, { file });
          }
          if (held + count > room) throw fail("BUSY", { retryAfter: RETRY_WHEN_FULL });
          own += count;
          held += count;
        },
        release() {
          held -= own;
          own = 0;
        },
      };
    },
  };
}
