/**
 * Question + passages → answer. This file is the interface; each way of answering is one file or folder beside it.
 *
 * An answer cites what it was given by number: `[1]` is the first of `given`.
 */

export { createExtractiveAnswerer } from "./extractive.ts";
export { withFloor } from "./floor.ts";
export { probeModel } from "./llama/probe.ts";
export { openLlamaAnswerer, type LlamaOptions } from "./llama/answerer.ts";
export { answerModelFiles, readAnswerModel, writeAnswerRecord, type AnswerModel } from "./models/answer-model.ts";
export { defaultSequences, estimateMemory, type MemoryEstimate } from "./models/memory.ts";
export { realCores } from "./llama/cores.ts";
export type * from "./types.ts";
