/** The HNSW graph of one dataset: a USearch index over int8 vectors, keyed by chunk id. Knows nothing of files' safety: see saved-graph.ts. */
import { loadUsearch, type CompiledIndex } from "../../native/index.ts";

/** How a graph is built and searched; `bun run bench index` shows what each choice gives. */
export interface GraphParameters {
  /** Links per vector and layer (M). */
  readonly connectivity: number;
  /** Candidates kept while a vector is added (efConstruction). */
  readonly expansionAdd: number;
}

export class Graph {
  private constructor(private readonly index: CompiledIndex) {}

  /** An empty graph to add to. */
  static create(dimensions: number, parameters: GraphParameters): Graph {
    return new Graph(open(dimensions, parameters, parameters.expansionAdd));
  }

  /** A saved graph in memory, to be added to. The file must be known to be whole: USearch does not check it. */
  static load(path: string, dimensions: number, parameters: GraphParameters): Graph {
    const graph = Graph.create(dimensions, parameters);
    graph.index.load(path);
    return graph;
  }

  /** A saved graph to search, mapped from its file, which must not change while the graph is in use. */
  static view(path: string, dimensions: number, parameters: GraphParameters, expansionSearch: number): Graph {
    const index = open(dimensions, parameters, expansionSearch);
    index.view(path);
    return new Graph(index);
  }

  get size(): number {
    return this.index.size();
  }

  /** Adds vectors, `chunkIds.length × dimensions` bytes, in this order: slot numbers in the file follow it (one thread). Blocks. */
  add(chunkIds: ArrayLike<number>, vectors: Int8Array): void {
    this.index.add(BigUint64Array.from(chunkIds as ArrayLike<number> & Iterable<number>, BigInt), vectors, 1);
  }

  /** The chunks of the nearest `count` or fewer, nearest first. Blocks for a millisecond or a few. */
  search(query: Int8Array, count: number): number[] {
    const [keys, , counts] = this.index.search(query, count, 1);
    return Array.from(keys.subarray(0, Number(counts[0])), Number);
  }

  save(path: string): void {
    this.index.save(path);
  }
}

function open(dimensions: number, parameters: GraphParameters, expansionSearch: number): CompiledIndex {
  const { CompiledIndex } = loadUsearch();
  return new CompiledIndex(
    dimensions,
    "cos",
    "i8",
    parameters.connectivity,
    parameters.expansionAdd,
    expansionSearch,
    false,
  );
}
