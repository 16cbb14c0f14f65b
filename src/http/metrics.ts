/** Counts and times of requests, in Prometheus' text format. */

/** Upper bounds of the latency histograms, seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What one route has answered. */
export interface RouteMetrics {
  /** Counts one response; `seconds` from the request's arrival. */
  observe(status: number, seconds: number): void;
}

/** A value that is read when it is asked for. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  read(): number | Promise<number>;
}

export interface Metrics {
  /** `histogram`: also count how long its answers take. */
  route(route: string, histogram: boolean): RouteMetrics;
  addGauge(gauge: Gauge): void;
  /** The whole page. */
  render(): Promise<string>;
}

interface Histogram {
  readonly buckets: Float64Array;
  sum: number;
  count: number;
}

export function createMetrics(): Metrics {
  const responses = new Map<string, Map<number, number>>();
  const histograms = new Map<string, Histogram>();
  const gauges: Gauge[] = [];

  return {
    route(route, withHistogram) {
      const byStatus = new Map<number, number>();
      responses.set(route, byStatus);
      const histogram: Histogram | null = withHistogram ? { buckets: new Float64Array(BOUNDS.length), sum: 0, count: 0 } : null;
      if (histogram !== null) histograms.set(route, histogram);
      return {
        observe(status, seconds) {
          byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
          if (histogram !== null) record(histogram, seconds);
        },
      };
    },
    addGauge: (gauge) => void gauges.push(gauge),
    async render() {
      const gaugeLines = await Promise.all(gauges.map(renderGauge));
      return [...renderResponses(responses), ...renderHistograms(histograms), ...gaugeLines.flat(), ""].join("\n");
    },
  };
}

function record(histogram: Histogram, seconds: number): void {
  histogram.sum += seconds;
  histogram.count++;
  const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
  if (bucket >= 0) histogram.buckets[bucket]!++;
}

function* renderResponses(responses: ReadonlyMap<string, ReadonlyMap<number, number>>): Iterable<string> {
  yield "# HELP lectern_http_requests_total Requests answered, by route and status.";
  yield "# TYPE lectern_http_requests_total counter";
  for (const [route, byStatus] of responses) {
    for (const [status, count] of byStatus) yield `lectern_http_requests_total{route="${route}",status="${status}"} ${count}`;
  }
}

function* renderHistograms(histograms: ReadonlyMap<string, Histogram>): Iterable<string> {
  yield "# HELP lectern_http_request_duration_seconds Time from a request's arrival to its answer.";
  yield "# TYPE lectern_http_request_duration_seconds histogram";
  for (const [route, { buckets, sum, count }] of histograms) {
    let cumulative = 0;
    for (const [index, bound] of BOUNDS.entries()) {
      cumulative += buckets[index]!;
      yield `lectern_http_request_duration_seconds_bucket{route="${route}",le="${bound}"} ${cumulative}`;
    }
    yield `lectern_http_request_duration_seconds_bucket{route="${route}",le="+Inf"} ${count}`;
    yield `lectern_http_request_duration_seconds_sum{route="${route}"} ${sum}`;
    yield `lectern_http_request_duration_seconds_count{route="${route}"} ${count}`;
  }
}

async function renderGauge({ name, help, read }: Gauge): Promise<string[]> {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${await read()}`];
}
