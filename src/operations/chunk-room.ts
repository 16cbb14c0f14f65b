/**
 * How many chunks uploads may hold in memory, with their vectors, until they are stored. A page can be cut into thousands of
 * small overlapping chunks, so limits on bytes alone bound nothing.
 */
import { fail } from "../foundation/errors.ts";

/** Uploads of the largest size for which there is room at the same time. */
const LARGEST_UPLOADS = 2;
/** The most of the room that one customer's uploads may hold: the rest is there for the others. */
const CUSTOMER_SHARE = 0.75;
/** Seconds after which an upload refused for lack of room may try again. */
const RETRY_WHEN_FULL = 5;

/** What one upload holds. */
export interface ChunkShare {
  /**
   * Notes that the upload holds the chunks of one more file, `file` by name. Throws UNREADABLE_FILE when its files together make
   * more chunks than an upload may, BUSY when the uploads that run, or this customer's among them, hold too many.
   */
  take(count: number, file: string): void;
  /** The upload holds nothing any more. */
  release(): void;
}

export interface ChunkRoom {
  share(customerId: string): ChunkShare;
}

/** `maxUploadChunks`: chunks of one upload. */
export function openChunkRoom(maxUploadChunks: number): ChunkRoom {
  const room = maxUploadChunks * LARGEST_UPLOADS;
  let held = 0;
  /** By customer, only those that hold any. */
  const heldBy = new Map<string, number>();

  function hold(customerId: string, change: number): void {
    held += change;
    const theirs = (heldBy.get(customerId) ?? 0) + change;
    if (theirs === 0) heldBy.delete(customerId);
    else heldBy.set(customerId, theirs);
  }

  return {
    share(customerId) {
      let own = 0;
      return {
        take(count, file) {
          if (own + count > maxUploadChunks) {
            const reason = `with the upload's other files it makes more than ${maxUploadChunks} chunks; use larger chunks or send the files apart`;
            throw fail("UNREADABLE_FILE", { file, reason }, { file });
          }
          const theirs = heldBy.get(customerId) ?? 0;
          if (held + count > room || theirs + count > room * CUSTOMER_SHARE)
            throw fail("BUSY", { retryAfter: RETRY_WHEN_FULL });
          own += count;
          hold(customerId, count);
        },
        release() {
          hold(customerId, -own);
          own = 0;
        },
      };
    },
  };
}
