/**
 * The embedding Worker's queue: which texts go into the next run of the model. Pure.
 *
 * Searches overtake uploads at every run. A run takes texts of similar length, so that little of it is padding, and only
 * so many that it is over soon: a search that arrives meanwhile waits for one run at most.
 */

/** One text of a request, waiting. */
export interface WaitingText<Request> {
  readonly request: Request;
  /** Its place among the request's texts. */
  readonly index: number;
  readonly ids: readonly number[];
}

/** Longest a run should take. */
const RUN_MILLISECONDS = 15;
/** Tokens of the first run, before the model's speed is known. */
const FIRST_BUDGET = 512;
const LARGEST_BUDGET = 8192;

export class RunBudget {
  private tokensPerMillisecond = FIRST_BUDGET / RUN_MILLISECONDS;

  /** Most tokens, padding included, that the next run should hold. */
  get tokens(): number {
    return Math.min(LARGEST_BUDGET, Math.max(1, Math.floor(this.tokensPerMillisecond * RUN_MILLISECONDS)));
  }

  /** Learns from a run. Small runs are mostly fixed cost and teach nothing about speed unless they are slow. */
  record(tokens: number, milliseconds: number): void {
    const measured = tokens / Math.max(milliseconds, 0.01);
    const telling = tokens >= FIRST_BUDGET / 2 || measured < this.tokensPerMillisecond;
    if (telling) this.tokensPerMillisecond = 0.5 * this.tokensPerMillisecond + 0.5 * measured;
  }
}

/** Chooses the texts of the next run among those that wait: the first one, and those nearest to it in length that fit beside it. */
function chooseRun<Request>(waiting: readonly WaitingText<Request>[], budget: number): WaitingText<Request>[] {
  const [first, ...others] = waiting;
  if (!first) return [];
  const run = [first];
  let longest = Math.max(1, first.ids.length);
  const byDistance = others.sort(
    (a, b) => Math.abs(a.ids.length - first.ids.length) - Math.abs(b.ids.length - first.ids.length),
  );
  for (const candidate of byDistance) {
    const columns = Math.max(longest, candidate.ids.length);
    if (columns * (run.length + 1) > budget) break;
    longest = columns;
    run.push(candidate);
  }
  return run;
}

/** The texts of one request that are not tokenised yet. */
interface Untokenised<Request> {
  readonly request: Request;
  readonly texts: readonly string[];
  /** The next one's place among them. */
  next: number;
}

/** The texts of one priority: first as they came, then a window of them tokenised. Requests take turns, a text each, so that a small one is soon done. */
export class Lane<Request> {
  private untokenised: Untokenised<Request>[] = [];
  private tokenised: WaitingText<Request>[] = [];

  get isEmpty(): boolean {
    return this.untokenised.length === 0 && this.tokenised.length === 0;
  }

  add(request: Request, texts: readonly string[]): void {
    if (texts.length > 0) this.untokenised.push({ request, texts, next: 0 });
  }

  /** Tokenises as many of the next texts as bring the window to `size`. */
  async tokenise(size: number, idsOf: (texts: readonly string[]) => Promise<number[][]>): Promise<void> {
    const next = this.take(size - this.tokenised.length);
    if (next.length === 0) return;
    const rows = await idsOf(next.map(({ text }) => text));
    next.forEach(({ request, index }, at) => this.tokenised.push({ request, index, ids: rows[at] as number[] }));
  }

  /** Takes the texts of one run out of the window. */
  takeRun(budget: number): WaitingText<Request>[] {
    const run = new Set(chooseRun(this.tokenised, budget));
    this.tokenised = this.tokenised.filter((one) => !run.has(one));
    return [...run];
  }

  /** Forgets all texts of a request. */
  drop(request: Request): void {
    this.untokenised = this.untokenised.filter((one) => one.request !== request);
    this.tokenised = this.tokenised.filter((one) => one.request !== request);
  }

  private take(count: number): Array<{ request: Request; index: number; text: string }> {
    const taken: Array<{ request: Request; index: number; text: string }> = [];
    while (taken.length < count) {
      const turn = this.untokenised.shift();
      if (turn === undefined) break;
      const index = turn.next++;
      taken.push({ request: turn.request, index, text: turn.texts[index] as string });
      if (turn.next < turn.texts.length) this.untokenised.push(turn);
    }
    return taken;
  }
}
