/**
 * A model that is a table of token vectors: the rows are added up here, what is made of the sum is left to ONNX Runtime. It makes the
 * vectors that its whole graph makes, but for single precision's last digits, in a fifth of the time. Running blocks the calling thread.
 */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { mapFile } from "../native/map-file.ts";
import type { ModelManifest } from "./manifest.ts";
import { openSession } from "../native/onnx-graph.ts";
import { tableGraphOf } from "./table-graph.ts";
import { poolInto } from "./tensors.ts";
import type { TextModel } from "./text-embedder.ts";
import { WeightedSum } from "./weighted-sum.ts";

/** Bytes. A table lies in a file of its own; whoever has more in this one brings another kind of model, which is not read into memory. */
const LARGEST_GRAPH = 16 * 1024 * 1024;

export class TableModel implements TextModel {
  private constructor(
    private readonly manifest: ModelManifest,
    private readonly weightedSum: WeightedSum,
    private readonly rest: InferenceSession,
    private readonly sumName: string,
  ) {}

  /** null where the folder holds another kind of model. The table is mapped, and only its pages in use take memory. */
  static async load(folder: string, manifest: ModelManifest, threads: number): Promise<TableModel | null> {
    const path = join(folder, "model.onnx");
    const graph = (await stat(path)).size > LARGEST_GRAPH ? null : tableGraphOf(await readFile(path));
    if (graph === null) return null;
    const { rows, scales } = graph.parameters;
    const part = async ({ location, offset, length }: typeof rows): Promise<Uint8Array> =>
      (await mapFile(join(folder, location))).subarray(offset, offset + length);
    const sum = new WeightedSum(await part(rows), await part(scales), graph.parameters, manifest.dimensions);
    return new TableModel(manifest, sum, await openSession(graph.rest, threads), graph.sum);
  }

  async embed(texts: ReadonlyArray<readonly number[]>): Promise<Float32Array> {
    const { dimensions, output } = this.manifest;
    const sums = new Float32Array(texts.length * dimensions);
    texts.forEach((ids, row) => sums.set(this.weightedSum.of(ids), row * dimensions));
    const feeds = { [this.sumName]: new Tensor("float32", sums, [texts.length, dimensions]) };
    const result = (await this.rest.run(feeds, [output]))[output] as Tensor;
    const vectors = new Float32Array(texts.length * dimensions);
    const spans = texts.map((ids): [number, number] => [0, ids.length]);
    poolInto(vectors, result.data as Float32Array, { columns: 1, spans }, this.manifest);
    return vectors;
  }

  release(): Promise<void> {
    return this.rest.release();
  }
}
