/** A text's weighted sum of a quantised table's rows, as the graph that `table-graph.ts` recognises defines it. */
import { readFileSync } from "node:fs";
import type { TableParameters } from "./table-graph.ts";
import kernelPath from "./weighted-sum.wasm" with { type: "file" };

/** Rows that the kernel is given at a time: its memory is bounded however many different tokens a text has. */
const ROWS_AT_ONCE = 256;
/** Numbers of a row that share a scale; each takes half a byte, a scale two bytes. */
const BLOCK = 32;
const BLOCK_BYTES = BLOCK / 2;
const HALF_BYTES = 2;
const SINGLE_BYTES = 4;
const PAGE_BYTES = 65536;

interface Kernel {
  readonly memory: WebAssembly.Memory;
  weigh(halves: number, weights: number, count: number, blocks: number, out: number): void;
  add(rows: number, scales: number, count: number, blocks: number, out: number): void;
}

export class WeightedSum {
  private readonly kernel: Kernel;
  private readonly blocks: number;
  /** By place, as far as texts went. */
  private placeWeights = new Float32Array(0);
  /** By token: what its places in the text weigh together; 0 between texts. */
  private readonly tokenWeights: Float32Array;
  // The kernel's memory: packed rows, their scales as stored and as weighed, their weights, and the sum.
  private readonly rows: Uint8Array;
  private readonly halves: Uint8Array;
  private readonly scales: Float32Array;
  private readonly weights: Float32Array;
  private readonly sum: Float32Array;

  /** `rowsOfAll` and `scalesOfAll`: the table, a row for every token id. `dimensions` is a multiple of 128. */
  constructor(
    private readonly rowsOfAll: Uint8Array,
    private readonly scalesOfAll: Uint8Array,
    private readonly parameters: TableParameters,
    readonly dimensions: number,
  ) {
    this.kernel = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(kernelPath)))
      .exports as unknown as Kernel;
    this.blocks = dimensions / BLOCK;
    this.tokenWeights = new Float32Array(rowsOfAll.length / (this.blocks * BLOCK_BYTES));
    const { memory } = this.kernel;
    const cells = ROWS_AT_ONCE * this.blocks;
    const bytes = cells * (BLOCK_BYTES + HALF_BYTES + SINGLE_BYTES) + (ROWS_AT_ONCE + dimensions) * SINGLE_BYTES;
    memory.grow(Math.ceil(bytes / PAGE_BYTES));
    this.rows = new Uint8Array(memory.buffer, 0, cells * BLOCK_BYTES);
    this.halves = new Uint8Array(memory.buffer, after(this.rows), cells * HALF_BYTES);
    this.scales = new Float32Array(memory.buffer, after(this.halves), cells);
    this.weights = new Float32Array(memory.buffer, after(this.scales), ROWS_AT_ONCE);
    this.sum = new Float32Array(memory.buffer, after(this.weights), dimensions);
  }

  /** The sum of a text's tokens, by their ids; valid until the next call. Equal tokens' weights add up below the square root. */
  of(ids: readonly number[]): Float32Array {
    this.sum.fill(0);
    const distinct = this.weigh(ids);
    for (let start = 0; start < distinct.length; start += ROWS_AT_ONCE)
      this.add(distinct.slice(start, start + ROWS_AT_ONCE));
    return this.sum;
  }

  /** Adds up the weights of equal tokens, and returns the different ones. */
  private weigh(ids: readonly number[]): number[] {
    this.reservePlaces(ids.length);
    const { tokenWeights, placeWeights } = this;
    const distinct: number[] = [];
    ids.forEach((id, place) => {
      if (tokenWeights[id] === 0) distinct.push(id);
      tokenWeights[id]! += placeWeights[place]!;
    });
    return distinct;
  }

  private add(ids: readonly number[]): void {
    const { blocks, tokenWeights, rowsOfAll, scalesOfAll } = this;
    const rowBytes = blocks * BLOCK_BYTES;
    const scaleBytes = blocks * HALF_BYTES;
    ids.forEach((id, row) => {
      this.rows.set(rowsOfAll.subarray(id * rowBytes, (id + 1) * rowBytes), row * rowBytes);
      this.halves.set(scalesOfAll.subarray(id * scaleBytes, (id + 1) * scaleBytes), row * scaleBytes);
      this.weights[row] = Math.sqrt(tokenWeights[id]!);
      tokenWeights[id] = 0;
    });
    const { rows, halves, weights, scales, sum, kernel } = this;
    kernel.weigh(halves.byteOffset, weights.byteOffset, ids.length, blocks, scales.byteOffset);
    kernel.add(rows.byteOffset, scales.byteOffset, ids.length, blocks, sum.byteOffset);
  }

  private reservePlaces(length: number): void {
    if (length <= this.placeWeights.length) return;
    const { firstFaded, fade, fading, least } = this.parameters;
    this.placeWeights = Float32Array.from(
      { length: Math.max(length, 2 * this.placeWeights.length) },
      (_, place) => Math.fround(Math.exp(Math.max(0, place + 1 - firstFaded) / fade)) * fading + least,
    );
  }
}

const after = ({ byteOffset, byteLength }: Uint8Array | Float32Array): number => byteOffset + byteLength;
