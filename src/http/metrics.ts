/** Counts and times of requests, in Prometheus' text format. */

/** Upper bounds of the latency histograms, seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What one route has answered. */
export interface RouteMetrics {
  /** Counts one response; `seconds` from the request's arrival. */
  observe(status: number, seconds: number): void;
}

/** A value that is read when it is asked for; one whose promise rejects is not known right now. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  read(): number | Promise<number>;
}

/** How values are distributed. */
export interface HistogramMetrics {
  observe(value: number): void;
}

/** How often something happened, by a label. */
export interface CounterMetrics {
  count(label: string): void;
}

export interface Metrics {
  /** A counter with one label of this name. */
  counter(name: string, help: string, label: string): CounterMetrics;
  /** A histogram of its own, with its upper bounds in ascending order. */
  histogram(name: string, help: string, bounds: readonly number[]): HistogramMetrics;
  /** `histogram`: also count how long its answers take. */
  route(route: string, histogram: boolean): RouteMetrics;
  addGauge(gauge: Gauge): void;
  /** What each route has answered so far; routes that have answered nothing are left out. */
  answered(): RouteSummary[];
  /** What the gauges of these names say; NaN where that is not known right now. */
  readGauges<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>>;
  /** The whole page. */
  render(): Promise<string>;
}

export interface RouteSummary {
  readonly route: string;
  readonly count: number;
  /** Answers of 500 and above. */
  readonly errors: number;
  /** Seconds that half of the answers, and 99 of 100, took at most, as far as the histogram tells; null where none is kept. */
  readonly p50Seconds: number | null;
  readonly p99Seconds: number | null;
}

interface Counter {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly counts: Map<string, number>;
}

interface Histogram {
  readonly bounds: readonly number[];
  readonly buckets: Float64Array;
  sum: number;
  count: number;
}

export function createMetrics(): Metrics {
  const responses = new Map<string, Map<number, number>>();
  const histograms = new Map<string, Histogram>();
  const others: { readonly name: string; readonly help: string; readonly histogram: Histogram }[] = [];
  const counters: Counter[] = [];
  const gauges: Gauge[] = [];

  return {
    route(route, withHistogram) {
      const byStatus = new Map<number, number>();
      responses.set(route, byStatus);
      const histogram: Histogram | null = withHistogram ? emptyHistogram(BOUNDS) : null;
      if (histogram !== null) histograms.set(route, histogram);
      return {
        observe(status, seconds) {
          byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
          if (histogram !== null) record(histogram, seconds);
        },
      };
    },
    counter(name, help, label) {
      const counts = new Map<string, number>();
      counters.push({ name, help, label, counts });
      return { count: (value) => void counts.set(value, (counts.get(value) ?? 0) + 1) };
    },
    histogram(name, help, bounds) {
      const histogram = emptyHistogram(bounds);
      others.push({ name, help, histogram });
      return { observe: (value) => record(histogram, value) };
    },
    addGauge: (gauge) => void gauges.push(gauge),
    answered: () =>
      [...responses].flatMap(([route, byStatus]) => {
        const counts = [...byStatus];
        const count = counts.reduce((sum, [, answers]) => sum + answers, 0);
        if (count === 0) return [];
        const errors = counts.reduce((sum, [status, answers]) => sum + (status >= 500 ? answers : 0), 0);
        const histogram = histograms.get(route);
        const [p50Seconds, p99Seconds] = [0.5, 0.99].map((share) => (histogram ? quantile(histogram, share) : null));
        return [{ route, count, errors, p50Seconds: p50Seconds!, p99Seconds: p99Seconds! }];
      }),
    async readGauges(names) {
      const wanted = new Set<string>(names);
      const read = gauges.filter(({ name }) => wanted.has(name));
      const values = await Promise.all(read.map(gaugeValue));
      const found = new Map(read.map(({ name }, index) => [name, values[index]!]));
      return Object.fromEntries(names.map((name) => [name, found.get(name) ?? NaN])) as Record<
        (typeof names)[number],
        number
      >;
    },
    async render() {
      const gaugeLines = await Promise.all(gauges.map(renderGauge));
      return [
        ...renderResponses(responses),
        ...counters.flatMap(renderCounter),
        ...renderHistograms(histograms),
        ...others.flatMap(renderHistogram),
        ...gaugeLines.flat(),
        "",
      ].join("\n");
    },
  };
}

const emptyHistogram = (bounds: readonly number[]): Histogram => ({
  bounds,
  buckets: new Float64Array(bounds.length),
  sum: 0,
  count: 0,
});

function record(histogram: Histogram, value: number): void {
  histogram.sum += value;
  histogram.count++;
  const bucket = histogram.bounds.findIndex((bound) => value <= bound);
  if (bucket >= 0) histogram.buckets[bucket]!++;
}

function* renderResponses(responses: ReadonlyMap<string, ReadonlyMap<number, number>>): Iterable<string> {
  yield "# HELP lectern_http_requests_total Requests answered, by route and status.";
  yield "# TYPE lectern_http_requests_total counter";
  for (const [route, byStatus] of responses) {
    for (const [status, count] of byStatus)
      yield `lectern_http_requests_total{route="${route}",status="${status}"} ${count}`;
  }
}

function renderCounter({ name, help, label, counts }: Counter): string[] {
  const lines = [...counts].map(([value, count]) => `${name}{${label}="${value}"} ${count}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines];
}

function* renderHistograms(histograms: ReadonlyMap<string, Histogram>): Iterable<string> {
  yield "# HELP lectern_http_request_duration_seconds Time from a request's arrival to its answer.";
  yield "# TYPE lectern_http_request_duration_seconds histogram";
  for (const [route, histogram] of histograms)
    yield* renderBuckets("lectern_http_request_duration_seconds", `route="${route}"`, histogram);
}

function renderHistogram({
  name,
  help,
  histogram,
}: {
  readonly name: string;
  readonly help: string;
  readonly histogram: Histogram;
}): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...renderBuckets(name, "", histogram)];
}

function* renderBuckets(name: string, labels: string, { bounds, buckets, sum, count }: Histogram): Iterable<string> {
  const before = labels === "" ? "" : `${labels},`;
  const alone = labels === "" ? "" : `{${labels}}`;
  let cumulative = 0;
  for (const [index, bound] of bounds.entries()) {
    cumulative += buckets[index]!;
    yield `${name}_bucket{${before}le="${bound}"} ${cumulative}`;
  }
  yield `${name}_bucket{${before}le="+Inf"} ${count}`;
  yield `${name}_sum${alone} ${sum}`;
  yield `${name}_count${alone} ${count}`;
}

/** NaN is what the format has for a value that cannot be told right now. */
const gaugeValue = ({ read }: Gauge): Promise<number> => Promise.resolve(read()).catch(() => NaN);

/**
 * Which value a share of what was observed lies below, taken as spread evenly within its bucket, as Prometheus' histogram_quantile does; the
 * last bound where it lies beyond. null while nothing was observed.
 */
function quantile({ bounds, buckets, count }: Histogram, share: number): number | null {
  if (count === 0) return null;
  let before = 0;
  for (const [index, bound] of bounds.entries()) {
    const inside = buckets[index]!;
    if (inside > 0 && before + inside >= share * count) {
      const lower = index === 0 ? 0 : bounds[index - 1]!;
      return lower + ((bound - lower) * (share * count - before)) / inside;
    }
    before += inside;
  }
  return bounds.at(-1)!;
}

async function renderGauge(gauge: Gauge): Promise<string[]> {
  const { name, help } = gauge;
  const value = await gaugeValue(gauge);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];
}
