/**
 * One dataset that grows: how searches, starts and memory change from a tenth of `--chunks` to all of them, and whether the vectors'
 * search still finds what comparing everything finds. Passages are cut short, some twenty-five tokens, so that a million of them can be had.
 */
import { fill, type Filling } from "./fill.ts";
import { ExactSearch } from "./recall.ts";
import { BenchServer, timed, type SearchHit } from "./server.ts";
import { percentile, report } from "./statistics.ts";
import { questionsFrom, readPassages } from "./text.ts";
import type { BenchOptions } from "./options.ts";

const SHORT: Filling = { passagesPerFile: 200, chunking: { chunkSize: "25", chunkOverlap: "0" } };
/** Comparing a million vectors with one question takes seconds. */
const RECALL_QUESTIONS = 50;
const POLL_MILLISECONDS = 20;

interface Size {
  readonly chunks: number;
  readonly p50: number;
  readonly perSecond: number;
}

export async function benchGrow(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(options.chunks, options.text);
  console.log(`text: ${origin}`);
  const questions = questionsFrom(passages, options.questions);
  const server = await new BenchServer(options.keep ?? undefined).start();
  const sizes: Size[] = [];
  for (const share of [0.1, 1]) {
    const chunks = Math.floor(options.chunks * share);
    const began = performance.now();
    await fill(server, passages, chunks, SHORT);
    const seconds = (performance.now() - began) / 1000;
    report({ name: "filled in", value: seconds, unit: "s" });
    sizes.push(await measure(server, questions, chunks));
  }
  const [small, large] = sizes as [Size, Size];
  report({
    name: `p50 at ${large.chunks} chunks`,
    value: large.p50,
    unit: "ms",
    baseline: { name: `at ${small.chunks}`, value: small.p50 },
    goal: { atMost: 3 * small.p50 },
  });
  await measureRecall(server, questions.slice(0, RECALL_QUESTIONS));
  await server.stop();
  if (!options.keep) server.remove();
}

/** Starts the server anew, as whoever comes back to its documents does. */
async function measure(server: BenchServer, questions: readonly string[], chunks: number): Promise<Size> {
  await server.stop();
  await server.start();
  const started = performance.now();
  const name = (what: string) => `${chunks} chunks: ${what}`;
  report({ name: name("listening"), value: server.readyMilliseconds, unit: "ms" });
  await server.search(questions[0]!);
  const first = performance.now() - started;
  report({ name: name("first search"), value: first, unit: "ms", goal: { atMost: 1000 } });
  while (!(await server.fetch("/readyz")).ok) await Bun.sleep(POLL_MILLISECONDS);
  report({ name: name("ready"), value: performance.now() - started, unit: "ms", goal: { atMost: 1000 } });
  await server.everythingSaved();
  report({ name: name("everything saved"), value: (performance.now() - started) / 1000, unit: "s" });
  await server.everythingInMemory();
  report({ name: name("everything in memory"), value: (performance.now() - started) / 1000, unit: "s" });

  await timed(questions.slice(0, 100), 1, (question) => server.search(question));
  const times = await timed(questions, 1, (question) => server.search(question));
  const p50 = percentile(times, 0.5);
  report({ name: name("search p50, one client"), value: p50, unit: "ms", goal: { atMost: 12 } });
  report({ name: name("search p99, one client"), value: percentile(times, 0.99), unit: "ms" });
  const crowdBegan = performance.now();
  await timed(questions, 16, (question) => server.search(question));
  const perSecond = questions.length / ((performance.now() - crowdBegan) / 1000);
  report({ name: name("searches a second, 16 clients"), value: perSecond, unit: "/s", goal: { atLeast: 120 } });
  const { total } = server.residentMegabytes();
  const indexMegabytes = (await server.gauge("lectern_index_bytes")) / 1024 ** 2;
  report({
    name: name("resident memory"),
    value: total,
    unit: "MB",
    baseline: { name: "indexes", value: indexMegabytes },
    goal: { atMost: 2400 },
  });
  return { chunks, p50, perSecond };
}

/** By vectors alone, which is what can be compared with everything. */
async function measureRecall(server: BenchServer, questions: readonly string[]): Promise<void> {
  await server.stop();
  await server.start({ LECTERN_SEARCH_MODE: "vector" });
  const served: SearchHit[][] = [];
  await timed(questions, 1, async (question, index) => (served[index] = await server.search(question)));
  const exact = await ExactSearch.open(server);
  report({
    name: "recall@10 by vectors alone",
    value: await exact.recall(questions, served),
    unit: "",
    goal: { atLeast: 0.99 },
  });
  await exact.close();
}
