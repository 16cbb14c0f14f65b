/** One ONNX graph, loaded. Loading and running block the calling thread: only the embedding Worker uses this. */

import { join } from "node:path";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openSession } from "../native/onnx-graph.ts";
import type { ModelManifest } from "./manifest.ts";
import { poolInto, positionIds, toTokenMatrix, type TokenMatrix } from "./tensors.ts";
import type { TextModel } from "./text-embedder.ts";

export class ModelSession implements TextModel {
  private constructor(
    private readonly session: InferenceSession,
    private readonly manifest: ModelManifest,
    private readonly inputTypes: ReadonlyMap<string, string>,
  ) {}

  /**
   * Loads `model.onnx` by its path, so that weights in a file of their own are mapped and only pages in use take memory.
   * Throws an Error that names an input or output of the manifest that the graph lacks.
   */
  static async load(folder: string, manifest: ModelManifest, threads: number): Promise<ModelSession> {
    const session = await openSession(join(folder, "model.onnx"), threads);
    const types = new Map(
      session.inputMetadata.map((input) => [input.name, input.isTensor ? input.type : "not a tensor"]),
    );
    const named = Object.values(manifest.inputs).filter((name) => name !== null);
    const unknown = named.find((name) => !types.has(name));
    const forgotten = session.inputNames.find((name) => !named.includes(name));
    const problem = unknown
      ? `the graph has no input "${unknown}"; it has ${session.inputNames.join(", ")}`
      : forgotten
        ? `the graph needs an input "${forgotten}" that the manifest does not name`
        : !session.outputNames.includes(manifest.output)
          ? `the graph has no output "${manifest.output}"; it has ${session.outputNames.join(", ")}`
          : null;
    if (problem === null) return new ModelSession(session, manifest, types);
    await session.release();
    throw new Error(problem);
  }

  async embed(texts: ReadonlyArray<readonly number[]>): Promise<Float32Array> {
    const matrix = toTokenMatrix(texts, this.manifest.padding);
    const vectors = new Float32Array(texts.length * this.manifest.dimensions);
    poolInto(vectors, await this.run(matrix), matrix, this.manifest);
    return vectors;
  }

  /** Runs the graph; the result is `rows × dimensions` or, before pooling, `rows × columns × dimensions`. */
  private async run(matrix: TokenMatrix): Promise<Float32Array> {
    const { inputs, output, pooling, dimensions } = this.manifest;
    const feeds: Record<string, Tensor> = {};
    const feed = (name: string | null, values: () => BigInt64Array) => {
      if (name !== null) feeds[name] = this.tensor(name, values(), matrix);
    };
    feed(inputs.inputIds, () => matrix.ids);
    feed(inputs.attentionMask, () => matrix.mask);
    feed(inputs.tokenTypeIds, () => new BigInt64Array(matrix.ids.length));
    feed(inputs.positionIds, () => positionIds(matrix));
    const result = (await this.session.run(feeds, [output]))[output] as Tensor;
    const expected = pooling === "none" ? [matrix.rows, dimensions] : [matrix.rows, matrix.columns, dimensions];
    if (result.dims.join() !== expected.join()) {
      throw new Error(
        `the output "${output}" has the shape [${result.dims.join(", ")}] where the manifest promises [${expected.join(", ")}]`,
      );
    }
    return toFloat32(result);
  }

  release(): Promise<void> {
    return this.session.release();
  }

  private tensor(name: string, values: BigInt64Array, { rows, columns }: TokenMatrix): Tensor {
    return this.inputTypes.get(name) === "int32"
      ? new Tensor("int32", Int32Array.from(values, Number), [rows, columns])
      : new Tensor("int64", values, [rows, columns]);
  }
}

function toFloat32(tensor: Tensor): Float32Array {
  if (tensor.type === "float32") return tensor.data as Float32Array;
  if (tensor.type !== "float16") throw new Error(`the output holds ${tensor.type} where float32 or float16 is needed`);
  const { buffer, byteOffset, length } = tensor.data as Uint16Array;
  return Float32Array.from(new Float16Array(buffer as ArrayBuffer, byteOffset, length));
}
