/**
 * USearch's raw addon. Its JavaScript wrapper is left out: that one finds the library by the build machine's paths,
 * and converts what the addon takes as it is (Int8Array).
 */

import { loadAddon } from "./addons.ts";

export type UsearchVector = Float32Array | Float64Array | Int8Array | Uint8Array;
export type UsearchMetric = "cos" | "ip" | "l2sq";
export type UsearchScalar = "f32" | "f16" | "bf16" | "i8";

/** One HNSW graph. Every call is synchronous and blocks its thread. */
export interface CompiledIndex {
  /** Adds `keys.length` vectors laid end to end. A key that exists throws and leaves the earlier ones in. */
  add(keys: BigUint64Array, vectors: UsearchVector, threads: number): void;
  /** For each query laid end to end, `count` slots of keys and distances (ascending); the last array says how many are filled. */
  search(queries: UsearchVector, count: number, threads: number): [BigUint64Array, Float32Array, BigUint64Array];
  contains(keys: BigUint64Array): boolean[];
  count(keys: BigUint64Array): number[];
  remove(keys: BigUint64Array): number[];
  dimensions(): number;
  connectivity(): number;
  size(): number;
  capacity(): number;
  save(path: string): void;
  load(path: string): void;
  /** Maps a file read-only. Replace a viewed file by rename only: writing into it ends the process. */
  view(path: string): void;
}

export interface Usearch {
  readonly CompiledIndex: new (
    dimensions: number,
    metric: UsearchMetric,
    scalar: UsearchScalar,
    connectivity: number,
    expansionAdd: number,
    expansionSearch: number,
    multi: boolean,
  ) => CompiledIndex;
  /** Exact neighbours; ignores a subarray's byteOffset, so pass arrays that own their whole buffer. */
  readonly exactSearch: (
    dataset: UsearchVector,
    queries: UsearchVector,
    dimensions: number,
    count: number,
    metric: UsearchMetric,
    threads: number,
  ) => [BigUint64Array, Float32Array, BigUint64Array];
}

/** Loads the addon; the first call inside the executable may unpack it. */
export function loadUsearch(): Usearch {
  return loadAddon("usearch") as Usearch;
}
