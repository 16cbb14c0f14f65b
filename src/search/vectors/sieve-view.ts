/** One thread's view of blocks of sign bits: the kernel that sieves them, with a place of its own in their memory for what it needs. */
import { readFileSync } from "node:fs";
import sievePath from "./sieve.wasm" with { type: "file" };
import { TABLE_ENTRIES } from "./sign-tables.ts";
import { PAGE_BYTES } from "./wasm-memory.ts";

/** Rows of a block. */
export const BLOCK_ROWS = 16;
/** Rows sieved by one call of the kernel: a tenth of a millisecond. */
export const BATCH_ROWS = 8192;
/** More than any row has. */
const MOST_BYTES = 96;

/** A thread's place in the memory: the tables of a question, the kernel's spill, the pairs that it writes. */
const SPILL = MOST_BYTES * 2 * TABLE_ENTRIES;
const PAIRS = SPILL + 32;
const PAIRS_BYTES = BATCH_ROWS * 8;
const PLACE_BYTES = Math.ceil((PAIRS + PAIRS_BYTES) / PAGE_BYTES) * PAGE_BYTES;

/** Where the blocks begin in a memory that so many threads sieve. */
export const blocksAddress = (threads: number): number => threads * PLACE_BYTES;

interface Kernels {
  sieve(
    tables: number,
    block: number,
    bytes: number,
    blocks: number,
    limit: number,
    spill: number,
    out: number,
  ): number;
  interleave(from: number, stride: number, bytes: number, count: number, blocks: number, row: number): void;
}

let compiled: WebAssembly.Module | undefined;
const sieveModule = (): WebAssembly.Module => (compiled ??= new WebAssembly.Module(readFileSync(sievePath)));

export class SieveView {
  private readonly kernels: Kernels;
  private readonly place: number;
  private readonly blocks: number;
  private readonly tables: Uint8Array;
  private readonly space: Uint8Array;
  /** Row, counted from the first one that was sieved, and distance in turn. */
  readonly pairs: Uint32Array;

  /** `rowBytes`: bytes of each row; `own`: this thread's number among `threads`. */
  constructor(
    memory: WebAssembly.Memory,
    private readonly rowBytes: number,
    { own, threads }: { readonly own: number; readonly threads: number },
  ) {
    this.kernels = new WebAssembly.Instance(sieveModule(), { rows: { memory } }).exports as unknown as Kernels;
    this.place = own * PLACE_BYTES;
    this.blocks = blocksAddress(threads);
    this.tables = new Uint8Array(memory.buffer, this.place, SPILL);
    this.space = new Uint8Array(memory.buffer, this.place + PAIRS, PAIRS_BYTES);
    this.pairs = new Uint32Array(memory.buffer, this.place + PAIRS, BATCH_ROWS * 2);
  }

  /** The question that is sieved by from now on. */
  prepare(entries: Uint8Array): void {
    this.tables.set(entries);
  }

  /** Writes the rows among `rows` from `first` on, whole blocks, that are nearer than `limit` to `pairs`; returns how many. */
  sieve(first: number, rows: number, limit: number): number {
    const { place, rowBytes } = this;
    const block = this.blocks + first * rowBytes;
    return this.kernels.sieve(place, block, rowBytes, rows / BLOCK_ROWS, limit, place + SPILL, place + PAIRS);
  }

  /** How many strings of sign bits that begin `stride` bytes apart fit into one call of `write`. */
  static fitting(stride: number): number {
    return Math.floor(PAIRS_BYTES / stride);
  }

  /** Makes the beginnings of strings of sign bits the rows from `row` on, for which the memory has room. */
  write(signs: Uint8Array, stride: number, row: number): void {
    this.space.set(signs);
    this.kernels.interleave(this.place + PAIRS, stride, this.rowBytes, signs.length / stride, this.blocks, row);
  }
}
