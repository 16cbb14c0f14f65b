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
  /** The whole page. */
  render(): Promise<string>;
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
async function renderGauge({ name, help, read }: Gauge): Promise<string[]> {
  const value = await Promise.resolve(read()).catch(() => NaN);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];
}
