/** Answers: a language model's speed through the server against node-llama-cpp bare, its memory, its neighbours, and answers without one. */
import { placeInWords, type PassagePlace } from "../src/foundation/place.ts";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realCores } from "../src/answers/index.ts";
import { renderChat } from "../src/answers/llama/chat-template.ts";
import { userMessage } from "../src/answers/prompt.ts";
import { CHAT_TEMPLATE, tinyModel } from "../test/answers/gguf-writer.ts";
import type { BareResult, BareRun } from "./bare-llama.ts";
import { fill } from "./fill.ts";
import type { BenchOptions } from "./options.ts";
import { mean } from "./quality/measures.ts";
import { BenchServer, timed, type SearchHit } from "./server.ts";
import { percentile, report } from "./statistics.ts";
import { questionsFrom, readPassages } from "./text.ts";

const CONTEXT = 2048;
const ANSWER = 160;
/** Short, since each character is a token to these models. */
const INSTRUCTIONS = "Answer from the passages.";
/** Each measures served, bare, bare and served again: a shared machine is not equally busy all the time. */
const ROUNDS = 4;
const ABANDONED = 500;
const WARMED = 50;

const script = [" bees", " make", " honey", " and", " wax", " all", " summer", " long"];
/** 113 million parameters: the arithmetic dominates. Its layers add nothing, so that it says the script for ever. */
const largeModel = () =>
  tinyModel({ script, endless: true, embedding: 768, layers: 12, feedForward: 3072, contextLength: 8192 });
const smallModel = () => tinyModel({ script, endless: true, embedding: 256, layers: 4, contextLength: 8192 });

export async function benchAnswers(options: BenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "lectern-bench-models-"));
  try {
    const paths = { large: join(folder, "large.gguf"), small: join(folder, "small.gguf") };
    await Bun.write(paths.large, largeModel());
    await Bun.write(paths.small, smallModel());
    const { passages, origin } = await readPassages(Math.ceil(options.chunks * 1.6), options.text);
    console.log(`text: ${origin}; ${realCores()} real cores`);
    const questions = questionsFrom(passages, options.questions);
    const server = new BenchServer(options.keep ?? undefined);
    for (const [name, path] of Object.entries(paths)) {
      mkdirSync(join(server.directory, "models", name), { recursive: true });
      rmSync(join(server.directory, "models", name, "model.gguf"), { force: true });
      symlinkSync(path, join(server.directory, "models", name, "model.gguf"));
    }
    await server.start();
    await fill(server, passages, options.chunks);
    await benchExtractive(server, questions);
    await server.stop();
    const threads = options.threads ?? realCores();
    await benchSpeed(server, questions, paths, threads);
    await benchSearchBeside(server, questions, threads);
    await benchAbandoned(server, questions, threads);
    if (!options.keep) server.remove();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchExtractive(server: BenchServer, questions: readonly string[]): Promise<void> {
  await timed(questions.slice(0, 50), 1, (question) => ask(server, question));
  const search = percentile(await timed(questions, 1, (question) => server.search(question)), 0.5);
  const times = await timed(questions, 1, (question) => ask(server, question));
  report({
    name: "extractive answer p50",
    value: percentile(times, 0.5),
    unit: "ms",
    baseline: { name: "search p50", value: search },
    goal: { atMost: 50 },
  });
  report({ name: "extractive answer p99", value: percentile(times, 0.99), unit: "ms" });
}

async function benchSpeed(
  server: BenchServer,
  questions: readonly string[],
  paths: { large: string; small: string },
  threads: number,
): Promise<void> {
  const large = await compare(server, questions, "large", paths.large, threads);
  const median = (values: readonly number[]): number => percentile(values, 0.5);
  report({
    name: "tokens a second, streamed",
    value: median(large.map(({ speed }) => speed.served)),
    unit: "/s",
    baseline: { name: "bare", value: median(large.map(({ speed }) => speed.bare)) },
  });
  report({
    name: "tokens a second, share of bare (median of rounds)",
    value: median(large.map(({ speed }) => speed.served / speed.bare)),
    unit: "×",
    goal: { atLeast: 0.95 },
  });
  report({
    name: "processor time of an answer, share of bare",
    value: median(large.map(({ effort }) => effort.served / effort.bare)),
    unit: "×",
  });
  // The overhead is the same whatever the model, and is lost in the noise of seconds.
  const small = await compare(server, questions, "small", paths.small, threads);
  report({
    name: "first token beyond the bare prompt, small model (median of rounds)",
    value: median(small.map(({ wait }) => wait.served - wait.bare)),
    unit: "ms",
    goal: { atMost: 30 },
  });
}

/** Means of a round's two runs by either way. */
interface Compared {
  readonly speed: Pair;
  /** Milliseconds to the first token. */
  readonly wait: Pair;
  /** Processor seconds of an answer. */
  readonly effort: Pair;
}

interface Pair {
  readonly bare: number;
  readonly served: number;
}

async function compare(
  server: BenchServer,
  questions: readonly string[],
  model: string,
  modelPath: string,
  threads: number,
): Promise<Compared[]> {
  await server.start({ ...answering(model, threads), LECTERN_ANSWER_PARALLEL: "1", LECTERN_ANSWER_PASSAGES: "2" });
  await stream(server, questions[0]!);
  const rounds: Compared[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const question = questions[round % questions.length]!;
    const serve = async () => {
      const before = processorSeconds(server.pid);
      const answer = await stream(server, question);
      return { ...answer, processorSeconds: processorSeconds(server.pid) - before };
    };
    const first = await serve();
    const run: BareRun = {
      modelPath,
      threads,
      contextSize: CONTEXT,
      tokens: ANSWER,
      ...promptFor(question, first.sources),
    };
    const bare = [runBare(run), runBare(run)];
    const served = [first, await serve()];
    const compared: Compared = {
      speed: {
        bare: mean(bare.map((one) => one.tokensPerSecond)),
        served: mean(served.map((one) => one.tokensPerSecond)),
      },
      wait: {
        bare: mean(bare.map((one) => one.promptMilliseconds)),
        served: mean(served.map((one) => one.firstTokenMilliseconds)),
      },
      effort: {
        bare: mean(bare.map((one) => one.processorSeconds)),
        served: mean(served.map((one) => one.processorSeconds)),
      },
    };
    rounds.push(compared);
    const { speed, wait, effort } = compared;
    console.log(
      `  ${model} model, round ${round + 1}: served ${speed.served.toFixed(1)} tokens/s, first after ${wait.served.toFixed(0)} ms; bare ${speed.bare.toFixed(1)} tokens/s, prompt ${wait.bare.toFixed(0)} ms; processor ${effort.served.toFixed(2)} s against ${effort.bare.toFixed(2)} s`,
    );
  }
  await server.stop();
  return rounds;
}

async function benchSearchBeside(server: BenchServer, questions: readonly string[], threads: number): Promise<void> {
  await server.start({
    ...answering("large", threads),
    LECTERN_ANSWER_PARALLEL: "4",
    LECTERN_ANSWER_LENGTH: "1000",
    LECTERN_ANSWER_PASSAGES: "2",
  });
  await timed(questions.slice(0, 100), 1, (question) => server.search(question));
  const alone = percentile(await timed(questions, 1, (question) => server.search(question)), 0.99);
  const gone = new AbortController();
  const answers = questions.slice(0, 4).map((question) => stream(server, question, gone.signal).catch(() => null));
  while ((await server.gauge("lectern_answers_running")) < 4) await Bun.sleep(50);
  const times = await timed(questions, 1, (question) => server.search(question));
  const running = await server.gauge("lectern_answers_running");
  gone.abort();
  await Promise.all(answers);
  report({ name: `search p50 beside ${running} answers`, value: percentile(times, 0.5), unit: "ms" });
  report({
    name: `search p99 beside ${running} answers`,
    value: percentile(times, 0.99),
    unit: "ms",
    baseline: { name: "alone", value: alone },
    goal: { atMost: 100 },
  });
  await server.stop();
}

async function benchAbandoned(server: BenchServer, questions: readonly string[], threads: number): Promise<void> {
  await server.start({
    ...answering("small", threads),
    LECTERN_ANSWER_PARALLEL: "4",
    LECTERN_ANSWER_LENGTH: "64",
    LECTERN_ANSWER_QUEUE: "64",
  });
  // Idle, and tidied up: in between, garbage comes and goes.
  const memory = async () => {
    while ((await server.gauge("lectern_answers_running")) + (await server.gauge("lectern_answers_waiting")) > 0)
      await Bun.sleep(20);
    await Bun.sleep(1000);
    return server.gauge("lectern_answer_process_resident_memory_bytes");
  };
  const many = Array.from({ length: ABANDONED }, (_, index) => questions[index % questions.length]!);
  let state = 1;
  const draw = (): number => (state = (state * 48271) % 0x7fffffff) / 0x7fffffff;
  const abandon = async (question: string): Promise<void> => {
    const gone = new AbortController();
    const timer = setTimeout(() => gone.abort(), draw() * 600);
    await stream(server, question, gone.signal).catch(() => null);
    clearTimeout(timer);
  };
  await timed(many.slice(0, WARMED), 4, abandon);
  const early = await memory();
  await timed(many.slice(WARMED), 4, abandon);
  report({
    name: `model process after ${ABANDONED} questions, many abandoned`,
    value: (await memory()) / 2 ** 20,
    unit: "MB",
    baseline: { name: `after ${WARMED}`, value: early / 2 ** 20 },
    goal: { atMost: (early / 2 ** 20) * 1.05 },
  });
  const whole = await Promise.all(questions.slice(0, 4).map((question) => stream(server, question)));
  report({
    name: "sequences that still answer",
    value: whole.filter(({ tokens }) => tokens > 0).length,
    unit: "",
    goal: { atLeast: 4 },
  });
  report({
    name: "starts of the model process",
    value: await server.gauge("lectern_answer_process_starts"),
    unit: "",
    goal: { atMost: 1 },
  });
  await server.stop();
}

const answering = (model: string, threads: number): Record<string, string> => ({
  LECTERN_ANSWER_THREADS: String(threads),
  LECTERN_ANSWER_MODEL: model,
  LECTERN_ANSWER_CONTEXT: String(CONTEXT),
  LECTERN_ANSWER_LENGTH: String(ANSWER),
  LECTERN_ANSWER_TEMPERATURE: "0",
  LECTERN_ANSWER_INSTRUCTIONS: INSTRUCTIONS,
});

async function ask(server: BenchServer, question: string): Promise<void> {
  const response = await server.fetch("/v1/query", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ datasetId: "bench", question }),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`query answered ${response.status}: ${body}`);
}

interface Streamed {
  readonly sources: readonly SearchHit[];
  readonly firstTokenMilliseconds: number;
  readonly tokensPerSecond: number;
  readonly tokens: number;
}

/** One streamed answer, timed by when its first and last words arrive. */
async function stream(server: BenchServer, question: string, signal?: AbortSignal): Promise<Streamed> {
  const started = performance.now();
  const response = await server.fetch("/v1/query", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ datasetId: "bench", question, stream: true }),
    ...(signal && { signal }),
  });
  if (response.status !== 200) throw new Error(`query answered ${response.status}: ${await response.text()}`);
  let [text, first, last, pieces] = ["", 0, 0, 0];
  const decoder = new TextDecoder();
  for await (const bytes of response.body!) {
    const part = decoder.decode(bytes, { stream: true });
    text += part;
    const arrived = part.split("event: token").length - 1;
    if (arrived === 0) continue;
    last = performance.now();
    first ||= last;
    pieces += arrived;
  }
  const sources = JSON.parse(/event: sources\ndata: (.*)/.exec(text)![1]!) as SearchHit[];
  return {
    sources,
    firstTokenMilliseconds: first - started,
    tokensPerSecond: (pieces - 1) / ((last - first) / 1000),
    tokens: pieces,
  };
}

/** The very prompt that the server gave its model. */
function promptFor(question: string, sources: readonly SearchHit[]): { shared: string; prompt: string } {
  const { before, after } = renderChat(CHAT_TEMPLATE, INSTRUCTIONS, { bos: "<s>", eos: "</s>" });
  const text = (pieces: typeof before): string => pieces.map(({ value }) => value).join("");
  return {
    shared: text(before),
    prompt:
      userMessage(
        question,
        sources.map(({ pageContent, metadata }) => ({
          text: pageContent,
          source: placeInWords(String(metadata.originalName), metadata as PassagePlace),
        })),
      ) + text(after),
  };
}

/** With the same low priority as the server's own process: on a machine with other work that is half of the difference. */
function runBare(run: BareRun): BareResult {
  const child = Bun.spawnSync(
    ["nice", "-n", "10", process.execPath, join(import.meta.dir, "bare-llama.ts"), JSON.stringify(run)],
    { stdout: "pipe", stderr: "inherit" },
  );
  return JSON.parse(child.stdout.toString()) as BareResult;
}

/** Processor time that the server and its children have used so far. */
function processorSeconds(pid: number): number {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  let ticks = 0;
  for (const id of children) {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)!.split(" ");
      if (id === pid || Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended while we looked.
    }
  }
  return ticks / 100;
}
