/** Asks the system to keep large memories in pages of two megabytes: what is read here and there is found in a fraction of the time. */
import { dlopen, ptr } from "bun:ffi";

/** Smaller ones would take more than they need. */
const LEAST_BYTES = 4 * 1024 * 1024;
const MADV_HUGEPAGE = 14;
const PAGE_BYTES = 4096;

let advise: ((address: number, length: number, advice: number) => number) | null | undefined;

/** For what of the memory is not in use yet. Where the system does not know such pages everything stays as it is. */
export function preferHugePages(memory: ArrayBufferLike): void {
  if (memory.byteLength < LEAST_BYTES) return;
  advise ??= open();
  const address = ptr(new Uint8Array(memory as ArrayBuffer));
  if (address % PAGE_BYTES === 0) advise?.(address, memory.byteLength, MADV_HUGEPAGE);
}

function open(): typeof advise {
  try {
    return dlopen("libc.so.6", { madvise: { args: ["usize", "usize", "i32"], returns: "i32" } }).symbols
      .madvise as unknown as typeof advise;
  } catch {
    return null;
  }
}
