/** Opening ONNX graphs, in the same way wherever they run. Loading and running block the calling thread. */
import { InferenceSession } from "onnxruntime-node";

/** Opens a graph, by its path or its bytes. */
export function openSession(graph: string | Uint8Array, threads: number): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
    // Threads that wait for work must not burn the cores that search needs.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  };
  return typeof graph === "string" ? InferenceSession.create(graph, options) : InferenceSession.create(graph, options);
}
