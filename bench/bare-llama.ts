/**
 * node-llama-cpp used bare, as a process of its own: reads `{modelPath, threads, contextSize, prompt, shared, tokens}` as its
 * argument, prints a `BareResult`. `shared` is the part of the prompt that stays in the context
 * between answers, as Lectern keeps its instructions there.
 */
import { getLlama, LlamaLogLevel, LlamaText, SpecialTokensText } from "node-llama-cpp";

export interface BareRun {
  readonly modelPath: string;
  readonly threads: number;
  readonly contextSize: number;
  readonly shared: string;
  readonly prompt: string;
  readonly tokens: number;
}

export interface BareResult {
  readonly promptMilliseconds: number;
  readonly tokensPerSecond: number;
  /** Processor time of prompt and answer together. */
  readonly processorSeconds: number;
}

if (import.meta.main) {
  const { modelPath, threads, contextSize, shared, prompt, tokens } = JSON.parse(process.argv[2]!) as BareRun;
  const llama = await getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    maxThreads: threads,
  });
  const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
  const context = await model.createContext({ contextSize, threads });
  const sequence = context.getSequence();
  const tokenize = (text: string) => LlamaText([new SpecialTokensText(text)]).tokenize(model.tokenizer);
  // Once unmeasured, so that the weights are in memory and the buffers allocated.
  await sequence.evaluateWithoutGeneratingNewTokens(tokenize(shared + prompt));
  await sequence.clearHistory();
  await sequence.evaluateWithoutGeneratingNewTokens(tokenize(shared));
  const before = process.cpuUsage();
  const started = performance.now();
  let [first, last, count] = [0, 0, 0];
  for await (const _ of sequence.evaluate(tokenize(prompt), { temperature: 0, minP: 0.05 })) {
    last = performance.now();
    first ||= last;
    if (++count >= tokens) break;
  }
  const { user, system } = process.cpuUsage(before);
  const processorSeconds = (user + system) / 1e6;
  console.log(
    JSON.stringify({
      processorSeconds,
      promptMilliseconds: first - started,
      tokensPerSecond: (count - 1) / ((last - first) / 1000),
    } satisfies BareResult),
  );
  process.exit(0);
}
