/** Search at 1,000 and at 100,000 chunks: latency, throughput, filters, growth, recall, memory, and start-up with all of it. */
import type { Filter } from "./client.ts";
import { fill, USUAL } from "./fill.ts";
import { readContender } from "./quality/contender.ts";
import { ExactSearch } from "./recall.ts";
import { BenchServer, executable, timed } from "./server.ts";
import { percentile, report } from "./statistics.ts";
import { questionsFrom, readPassages } from "./text.ts";
import type { BenchOptions } from "./options.ts";

type Hits = Awaited<ReturnType<BenchServer["search"]>>;

/** After which a server is at rest: collectors have run. */
const IDLE_MILLISECONDS = 10_000;

/** In which two settings are compared. */
const ROUNDS = 3;

/** Values of the longest list that a filter takes. */
const MOST_VALUES = 10_000;

interface Selection {
  readonly label: string;
  readonly filter: Filter;
  /** Whether a file is left, by its number. */
  readonly leaves: (number: number) => boolean;
}

/** Filters of every kind that leave a tenth, a hundredth and a thousandth of so many files. */
function selections(files: number): Selection[] {
  const shares = [
    { key: "tenth", every: 10, share: "10 %" },
    { key: "hundredth", every: 100, share: "1 %" },
    { key: "thousandth", every: 1000, share: "0.1 %" },
  ];
  return shares.flatMap(({ key, every, share }) => {
    const isOne = (number: number): boolean => number % every === 0;
    const values = Array.from({ length: MOST_VALUES }, (_, at) => at * every);
    const end = Math.ceil(files / every);
    return [
      { label: `filter leaving ${share}`, filter: { key, match: { value: true } }, leaves: isOne },
      {
        label: `filter by any of ${MOST_VALUES}, leaving ${share}`,
        filter: { key: "number", match: { any: values } },
        leaves: isOne,
      },
      { label: `filter by not, leaving ${share}`, filter: { key, match: { not: false } }, leaves: isOne },
      {
        label: `filter by range, leaving ${share}`,
        filter: { key: "number", match: { range: { gte: 0, lt: end } } },
        leaves: (number) => number < end,
      },
    ];
  });
}

export async function benchSearch(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(Math.ceil(options.chunks * 1.6), options.text);
  console.log(`text: ${origin}`);
  const questions = questionsFrom(passages, options.questions);

  const small = await new BenchServer().start();
  await fill(small, passages, Math.min(1000, options.chunks));
  await timed(questions.slice(0, 200), 1, (question) => small.search(question));
  const smallP50 = percentile(await timed(questions, 1, (question) => small.search(question)), 0.5);
  const emptyMemory = small.residentMegabytes().total;
  await small.stop();
  small.remove();

  const server = await new BenchServer(options.keep ?? undefined).start();
  const files = (await fill(server, passages, options.chunks)) / USUAL.passagesPerFile;
  await server.stop();
  await server.start();
  report({
    name: `ready with ${options.chunks} chunks`,
    value: server.readyMilliseconds,
    unit: "ms",
    goal: { atMost: 1000 },
  });
  const first = performance.now();
  await server.search(questions[0]!);
  report({ name: "first search after the start", value: performance.now() - first, unit: "ms" });

  await timed(questions.slice(0, 300), 1, (question) => server.search(question));
  const floor = percentile(
    await timed(questions, 1, () => server.fetch("/healthz").then((response) => response.text())),
    0.5,
  );
  const latency = await timed(questions, 1, (question) => server.search(question));
  const p50 = percentile(latency, 0.5);
  report({ name: "GET /healthz p50, one client", value: floor, unit: "ms" });
  report({ name: "search p50, one client", value: p50, unit: "ms", goal: { atMost: 10 } });
  report({ name: "search p99, one client", value: percentile(latency, 0.99), unit: "ms", goal: { atMost: 30 } });
  report({
    name: "growth: p50 against 1,000 chunks",
    value: p50 / smallP50,
    unit: "×",
    baseline: { name: "p50 at 1,000", value: smallP50 },
    goal: { atMost: 3 },
  });

  const many = [...questions, ...questions, ...questions];
  const started = performance.now();
  const crowded = await timed(many, 16, (question) => server.search(question));
  report({
    name: "searches a second, 16 clients",
    value: many.length / ((performance.now() - started) / 1000),
    unit: "/s",
    baseline: { name: "one client", value: 1000 / p50 },
    goal: { atLeast: 300 },
  });
  report({ name: "search p99, 16 clients", value: percentile(crowded, 0.99), unit: "ms" });
  for (const { filter, label } of selections(files)) {
    const firstAsked = performance.now();
    await server.search(questions[0]!, [filter]);
    const firstMilliseconds = performance.now() - firstAsked;
    const times = await timed(questions, 1, (question) => server.search(question, [filter]));
    report({
      name: `${label}: p50`,
      value: percentile(times, 0.5),
      unit: "ms",
      baseline: { name: "unfiltered", value: p50 },
      goal: { atMost: 2 * p50 },
    });
    report({ name: `${label}: first search`, value: firstMilliseconds, unit: "ms" });
  }

  const statistics = await (await server.fetch("/metrics")).text();
  const indexBytes = Number(/^lectern_index_bytes (\S+)/m.exec(statistics)?.[1] ?? NaN);
  const lexicalBytes = Number(/^lectern_index_lexical_bytes (\S+)/m.exec(statistics)?.[1] ?? 0);
  const reportMemory = (moment: string): void => {
    const { total, anonymous } = server.residentMegabytes();
    report({
      name: `memory above the index, ${moment}`,
      value: total - indexBytes / 1024 ** 2,
      unit: "MB",
      baseline: { name: "server with 1,000", value: emptyMemory },
      goal: { atMost: 350 },
    });
    console.log(
      `resident ${total.toFixed(0)} MB (${anonymous.toFixed(0)} anonymous), index ${(indexBytes / 1024 ** 2).toFixed(0)} MB, of it ${(lexicalBytes / 1024 ** 2).toFixed(0)} MB words`,
    );
  };
  reportMemory("right after the load");
  await Bun.sleep(IDLE_MILLISECONDS);
  reportMemory("at rest");
  await server.stop();
  await compareWithVectors(server, questions, p50, selections(files));
  for (const setting of options.against) await compareWithSetting(server, questions, setting);
  if (!options.keep) server.remove();
}

/** The same questions under other variables (`NAME=VALUE`, several with commas between them), in turns with the plain server: neither meets a quieter machine. */
async function compareWithSetting(server: BenchServer, questions: readonly string[], setting: string): Promise<void> {
  const { environment, program } = readContender(setting);
  if (program !== executable)
    throw new Error(
      `--against ${setting}: search compares settings, NAME=VALUE; two builds may not read the same data directory`,
    );
  const rounds = { plain: [] as Speed[], other: [] as Speed[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, variables] of [
      ["plain", {}],
      ["other", environment],
    ] as const) {
      await server.start(variables);
      rounds[name].push(await measureSpeed(server, questions));
      await server.stop();
    }
  }
  const median = (name: keyof typeof rounds, of: (speed: Speed) => number): number =>
    percentile(rounds[name].map(of), 0.5);
  const reportBoth = (what: string, unit: string, of: (speed: Speed) => number) =>
    report({
      name: `${what} with ${setting}`,
      value: median("other", of),
      unit,
      baseline: { name: "without", value: median("plain", of) },
    });
  reportBoth("search p50", "ms", ({ p50 }) => p50);
  const other = median("other", ({ p50 }) => p50);
  report({
    name: `added to it without ${setting}`,
    value: median("plain", ({ p50 }) => p50) - other,
    unit: "ms",
    baseline: { name: "with it", value: other },
  });
  reportBoth("searches a second, 16 clients,", "/s", ({ perSecond }) => perSecond);
  reportBoth("ready", "ms", ({ ready }) => ready);
  reportBoth("memory of its own", "MB", ({ memory }) => memory);
}

interface Speed {
  /** Milliseconds, one client. */
  readonly p50: number;
  /** Sixteen clients. */
  readonly perSecond: number;
  /** Milliseconds from the start to the ready line. */
  readonly ready: number;
  /** Megabytes after the load that no file stands behind. */
  readonly memory: number;
}

async function measureSpeed(server: BenchServer, questions: readonly string[]): Promise<Speed> {
  await timed(questions.slice(0, 300), 1, (question) => server.search(question));
  const p50 = percentile(await timed(questions, 1, (question) => server.search(question)), 0.5);
  const started = performance.now();
  await timed(questions, 16, (question) => server.search(question));
  return {
    p50,
    perSecond: questions.length / ((performance.now() - started) / 1000),
    ready: server.readyMilliseconds,
    memory: server.residentMegabytes().anonymous,
  };
}

/** The same questions by vectors alone: what the words add to the time, and whether the vectors' own search misses anything. */
async function compareWithVectors(
  server: BenchServer,
  questions: readonly string[],
  hybridP50: number,
  selected: readonly Selection[],
): Promise<void> {
  await server.start({ LECTERN_SEARCH_MODE: "vector" });
  const exact = await ExactSearch.open(server);
  await timed(questions.slice(0, 300), 1, (question) => server.search(question));
  const served: Hits[] = [];
  const p50 = percentile(
    await timed(questions, 1, async (question, index) => (served[index] = await server.search(question))),
    0.5,
  );
  report({
    name: "search p50 by vectors alone",
    value: p50,
    unit: "ms",
    baseline: { name: "plain scan", value: await exact.scanMilliseconds(questions[0]!) },
  });
  report({
    name: "added by the words",
    value: hybridP50 - p50,
    unit: "ms",
    baseline: { name: "by vectors alone", value: p50 },
    goal: { atMost: 3 },
  });
  report({
    name: "recall@10 of the vectors",
    value: await exact.recall(questions, served),
    unit: "",
    goal: { atLeast: 0.99 },
  });
  for (const { filter, leaves, label } of selected) {
    const filtered: Hits[] = [];
    await timed(questions, 1, async (question, index) => (filtered[index] = await server.search(question, [filter])));
    report({
      name: `${label}: recall@10`,
      value: await exact.recall(questions, filtered, leaves),
      unit: "",
      goal: { atLeast: 1 },
    });
  }
  await exact.close();
  await server.stop();
}
