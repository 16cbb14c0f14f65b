/**
 * How many bytes uploads may put on the disk while they are received: in sum, by customer, and never so many that the disk has
 * less left than its reserve. Whoever declares little and sends much is stopped at the same byte.
 */
import { fail } from "../foundation/errors.ts";
import type { Log } from "../foundation/log.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { FreeSpace } from "./free-space.ts";

/** Seconds after which an upload refused for lack of room may try again. */
const RETRY_WHEN_FULL = 5;

/** All in bytes. */
export interface DiskLimits {
  readonly stagingBytes: number;
  readonly stagingBytesPerCustomer: number;
  /** What uploads leave free. */
  readonly diskReserve: number;
  /** Of the file that is given up when the disk is full. */
  readonly reserveFileBytes: number;
}

/** What one upload holds. */
export interface DiskShare {
  /** Throws as `take` would, and takes nothing: for what a client says that it will send. */
  check(bytes: number): Promise<void>;
  /**
   * Before bytes are written. Throws PAYLOAD_TOO_LARGE when one upload may not hold so many, BUSY when those that run hold too many,
   * INSUFFICIENT_STORAGE when the disk would have less left than its reserve.
   */
  take(bytes: number): Promise<void>;
  /** The upload's bytes are stored or gone. */
  release(): void;
}

export interface DiskRoom {
  /** Bytes that uploads hold now. */
  readonly held: number;
  share(customerId: string): DiskShare;
  /** What searching and deleting need on a full disk: uploads are refused without it. */
  readonly reserve: DiskReserve;
  /** Throws INSUFFICIENT_STORAGE when the disk has less left than its reserve. */
  checkReserve(): Promise<void>;
  /** Bytes. */
  free(): Promise<number>;
}

export function openDiskRoom(
  dataDirectory: string,
  { stagingBytes, stagingBytesPerCustomer, diskReserve, reserveFileBytes }: DiskLimits,
  log: Log,
): DiskRoom {
  const space = new FreeSpace(dataDirectory);
  const reserve = new DiskReserve(dataDirectory, reserveFileBytes, space, log);
  const mostOfOne = Math.min(stagingBytes, stagingBytesPerCustomer);
  /** By customer, only those that hold any. */
  const heldBy = new Map<string, number>();
  let held = 0;

  function hold(customerId: string, bytes: number): void {
    held += bytes;
    const own = (heldBy.get(customerId) ?? 0) + bytes;
    if (own === 0) heldBy.delete(customerId);
    else heldBy.set(customerId, own);
  }

  async function checkReserve(bytes = 0): Promise<void> {
    if (reserve.missing || (await space.left()) - bytes < diskReserve) throw fail("INSUFFICIENT_STORAGE");
  }

  return {
    get held() {
      return held;
    },
    reserve,
    checkReserve,
    free: () => space.left(),
    share(customerId) {
      let own = 0;
      async function check(bytes: number): Promise<void> {
        if (own + bytes > mostOfOne)
          throw fail("PAYLOAD_TOO_LARGE", { what: "The upload", limit: mostOfOne }, { limit: mostOfOne });
        await checkReserve(bytes);
        // Last, so that nothing comes between it and the taking.
        if (held + bytes > stagingBytes || (heldBy.get(customerId) ?? 0) + bytes > stagingBytesPerCustomer)
          throw fail("BUSY", { retryAfter: RETRY_WHEN_FULL });
      }
      return {
        check,
        async take(bytes) {
          await check(bytes);
          own += bytes;
          hold(customerId, bytes);
          space.note(bytes);
        },
        release() {
          hold(customerId, -own);
          own = 0;
        },
      };
    },
  };
}
