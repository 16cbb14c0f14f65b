/**
 * Why searches go the way they go: recall and time of comparing everything, of the sieve by sign bits, and of HNSW graphs
 * with other parameters, on the same real passages in one process.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dotProduct } from "../src/foundation/dot-product.ts";
import { openEmbedder } from "../src/embedding/index.ts";
import { Graph } from "../src/search/vectors/graph.ts";
import { VectorMatrix } from "../src/search/vectors/matrix.ts";
import { quantiseToInt8 } from "../src/foundation/quantise.ts";
import type { BenchOptions } from "./options.ts";
import { format, percentile } from "./statistics.ts";
import { questionsFrom, readPassages } from "./text.ts";

const TOP = 10;
/** As many candidates as are compared exactly for the best ten. */
const CANDIDATES = 24;
const PARAMETERS = [
  { connectivity: 16, expansionAdd: 128 },
  { connectivity: 32, expansionAdd: 200 },
  { connectivity: 24, expansionAdd: 400 },
];
const EXPANSIONS = [64, 128, 256, 512, 768];

export async function benchIndexStructures(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(options.chunks, options.text);
  console.log(`text: ${origin}`);
  const embedder = await openEmbedder({ modelDirectory: null, threads: 2, maxQueuedTexts: options.chunks + 1 });
  const { dimensions } = embedder.manifest;
  const vectors: Float32Array[] = [];
  for (let start = 0; start < passages.length; start += 2000)
    vectors.push(...(await embedder.embed(passages.slice(start, start + 2000), "passage", "upload")));
  const queries = await embedder.embed(questionsFrom(passages, options.questions), "query", "search");
  await embedder.close();

  const truth = queries.map(
    (query) =>
      new Set(
        ranked(
          query,
          vectors,
          vectors.map((_, row) => row),
        ),
      ),
  );
  const measure = (name: string, search: (query: Float32Array) => number[]): void => {
    const milliseconds: number[] = [];
    let found = 0;
    for (const query of queries.slice(0, 50)) search(query);
    queries.forEach((query, index) => {
      const started = performance.now();
      const candidates = search(query);
      milliseconds.push(performance.now() - started);
      found += ranked(query, vectors, candidates).filter((row) => truth[index]!.has(row)).length;
    });
    console.log(
      `${name.padEnd(48)} recall@10 ${(found / queries.length / TOP).toFixed(4)}  p50 ${format(percentile(milliseconds, 0.5))} ms  p99 ${format(percentile(milliseconds, 0.99))} ms`,
    );
  };

  const all = [{ start: 0, end: vectors.length }];
  const dead = new Uint8Array(vectors.length);
  for (const [name, exactLimit] of [
    ["every vector, int8", Infinity],
    ["sieve by sign bits", 0],
  ] as const) {
    const matrix = new VectorMatrix(dimensions, exactLimit);
    for (const vector of vectors) {
      const row = new Int8Array(dimensions);
      quantiseToInt8(vector, row);
      matrix.append([row]);
    }
    measure(name, (query) => {
      const steps = matrix.nearest(matrix.quantise(query), all, dead, CANDIDATES);
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value.map(({ row }) => row);
      }
    });
  }

  const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"));
  for (const parameters of PARAMETERS) {
    const graph = Graph.create(dimensions, parameters);
    const quantised = new Int8Array(dimensions);
    const started = performance.now();
    vectors.forEach((vector, row) => {
      quantiseToInt8(vector, quantised);
      graph.add([row], quantised);
    });
    const seconds = (performance.now() - started) / 1000;
    const path = join(folder, "graph");
    graph.save(path);
    console.log(
      `graph M ${parameters.connectivity}, efConstruction ${parameters.expansionAdd}: ${format(vectors.length / seconds)} vectors/s, ${format(statSync(path).size / 1e6)} MB`,
    );
    for (const expansion of EXPANSIONS) {
      const view = Graph.view(path, dimensions, parameters, expansion);
      measure(`  ef ${expansion}`, (query) => {
        quantiseToInt8(query, quantised);
        return view.search(quantised, CANDIDATES);
      });
    }
  }
  rmSync(folder, { recursive: true });
}

/** The best ten of these rows by exact cosine. */
function ranked(query: Float32Array, vectors: readonly Float32Array[], rows: readonly number[]): number[] {
  const scored = rows.map((row) => [dotProduct(query, vectors[row]!), row] as const);
  return scored
    .sort((left, right) => right[0] - left[0])
    .slice(0, TOP)
    .map(([, row]) => row);
}
