/** Times the answers of a language model: until their first words, and how fast they are written. */
import type { Answer } from "../answers/index.ts";
import type { HistogramMetrics, Metrics } from "./metrics.ts";

/** Upper bounds, seconds: a few passages on two cores take a good many. */
const FIRST_TOKEN_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120];
/** Upper bounds, tokens a second. */
const SPEED_BOUNDS = [1, 2, 5, 10, 15, 20, 30, 50, 100, 200, 500];

export class AnswerMetrics {
  private readonly firstToken: HistogramMetrics;
  private readonly speed: HistogramMetrics;

  constructor(metrics: Metrics) {
    this.firstToken = metrics.histogram(
      "lectern_answer_first_token_seconds",
      "Time from a query's arrival to the first words of a language model.",
      FIRST_TOKEN_BOUNDS,
    );
    this.speed = metrics.histogram(
      "lectern_answer_tokens_per_second",
      "Tokens a second that a language model wrote, after the first words of each answer.",
      SPEED_BOUNDS,
    );
  }

  /** The answer's text as it is, observed while it is read; `arrived` by `performance.now()`. Only whole answers have a speed. */
  async *timed(answer: Answer, arrived: number): AsyncGenerator<string> {
    let first: { readonly at: number; readonly tokens: number } | null = null;
    for await (const text of answer.text) {
      if (first === null && answer.usage().completionTokens > 0) {
        first = { at: performance.now(), tokens: answer.usage().completionTokens };
        this.firstToken.observe((first.at - arrived) / 1000);
      }
      yield text;
    }
    if (first === null) return;
    const [tokens, seconds] = [answer.usage().completionTokens - first.tokens, (performance.now() - first.at) / 1000];
    if (tokens > 0 && seconds > 0) this.speed.observe(tokens / seconds);
  }
}
