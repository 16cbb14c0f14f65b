/** WebAssembly memory that grows with the rows it holds. */
import { preferHugePages } from "../../native/huge-pages.ts";

export const PAGE_BYTES = 65_536;

/** Makes a memory at least `needed` bytes large, by half of what it is so that appending stays cheap, up to `most`. Untouched pages cost nothing. */
export function growTo(memory: WebAssembly.Memory, needed: number, most: number): void {
  const present = memory.buffer.byteLength;
  if (needed <= present) return;
  const wanted = Math.max(needed, Math.min(Math.ceil(present * 1.5), most));
  memory.grow(Math.ceil((wanted - present) / PAGE_BYTES));
  preferHugePages(memory.buffer);
}
