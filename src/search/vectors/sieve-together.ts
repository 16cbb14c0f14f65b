/**
 * Many rows sieved by several threads at once: the thread that searches asks others to help, and all of them take batch after batch from a
 * board that they share until none is left. Nobody waits for a thread that is busy: what it has not begun, it need not begin.
 */
import { connectPort, type Connection } from "../../remote/index.ts";
import { inSlices } from "../slices.ts";
import { BATCH_NUMBERS, sieveBatches, type BatchSieve } from "./sieve-batches.ts";
import { SieveView } from "./sieve-view.ts";

/** With less work than this for each, a helper is not worth its message: a millisecond or two. */
const LEAST_ROWS = 131_072;
/** What beginning a batch takes, in rows. */
const BATCH_COST_ROWS = 64;

/** A board: the next batch, what became of each helper, who took each batch. */
const NEXT = 0;
const HELPERS = 1;
/** What became of a helper. */
const ASKED = 0;
const HELPING = 1;
const EXCUSED = 2;
/** Who took a batch: nobody yet; whoever asked; the helpers. */
const NOBODY = 0;
const ASKER = 1;

interface Task {
  readonly entries: Uint8Array;
  readonly limit: number;
  readonly batches: Uint32Array;
  readonly board: Int32Array;
  /** How many helpers were asked, and which this one is. */
  readonly helpers: number;
  readonly helper: number;
}

/** Memory with blocks of sign bits, which other threads may come to know. */
export interface SharedSegment {
  readonly number: number;
  readonly memory: WebAssembly.Memory;
}

/** The batches that a taker gets, until nobody has any left to take. */
function* taking(
  { board, helpers, batches }: Pick<Task, "board" | "helpers" | "batches">,
  taker: number,
): Generator<number> {
  for (;;) {
    const batch = Atomics.add(board, NEXT, 1);
    if (batch * BATCH_NUMBERS >= batches.length) return;
    Atomics.store(board, HELPERS + helpers + batch, taker);
    yield batch;
  }
}

/** Answers one other thread. */
export class SieveHelper {
  private readonly views = new Map<number, SieveView>();

  constructor(private readonly place: { readonly own: number; readonly threads: number }) {}

  /** The segments have the other thread's numbers. */
  know(segment: number, memory: WebAssembly.Memory, rowBytes: number): void {
    this.views.set(segment, new SieveView(memory, rowBytes, this.place));
  }

  forget(segment: number): void {
    this.views.delete(segment);
  }

  /** Row and distance in turn of every near row of the batches that it took; nothing where it was excused. */
  async help(task: Task): Promise<Uint32Array> {
    const { board, helper } = task;
    const near: number[] = [];
    if (Atomics.compareExchange(board, HELPERS + helper, ASKED, HELPING) !== ASKED) return new Uint32Array();
    const sieve: BatchSieve = {
      ...task,
      viewOf: (segment) => this.views.get(segment)!,
      take(pairs, count, first) {
        for (let pair = 0; pair < 2 * count; pair += 2) near.push(first + pairs[pair]!, pairs[pair + 1]!);
      },
    };
    await inSlices(sieveBatches(sieve, taking(task, ASKER + 1 + helper)));
    return Uint32Array.from(near);
  }
}

interface Fellow {
  readonly connection: Connection<SieveHelper>;
  /** Segments that it knows. */
  readonly known: Set<number>;
}

/** The other threads, as one that searches knows them. */
export class Fellows {
  private readonly fellows = new Map<number, Fellow>();
  private nextSegment = 0;
  /** Nobody needs to know a segment that is gone. */
  private readonly gone = new FinalizationRegistry<number>((segment) => {
    for (const { connection, known } of this.fellows.values())
      if (known.delete(segment)) connection.calls.forget(segment).catch(() => undefined);
  });

  constructor(readonly place: { readonly own: number; readonly threads: number } = { own: 0, threads: 1 }) {}

  meet(other: number, port: MessagePort): void {
    this.part(other);
    this.fellows.set(other, { connection: connectPort<SieveHelper>(port), known: new Set() });
  }

  part(other: number): void {
    this.fellows.get(other)?.connection.kill(new Error("the thread is gone"));
    this.fellows.delete(other);
  }

  /** A number for a segment, valid as long as `owner` is. */
  number(owner: object): number {
    const number = this.nextSegment++;
    this.gone.register(owner, number);
    return number;
  }

  /** Asks others to help with batches of these segments; null where that is not worth it. */
  ask(
    entries: Uint8Array,
    limit: number,
    batches: Uint32Array,
    rowBytes: number,
    segments: readonly SharedSegment[],
  ): SharedWork | null {
    const count = batches.length / BATCH_NUMBERS;
    let work = count * BATCH_COST_ROWS;
    for (let batch = 0; batch < count; batch++) work += batches[batch * BATCH_NUMBERS + 2]!;
    const helpers = Math.min(this.fellows.size, Math.floor(work / LEAST_ROWS) - 1);
    if (helpers < 1) return null;
    const numbers = HELPERS + helpers + count;
    const board = new Int32Array(new SharedArrayBuffer(4 * numbers));
    const answers = [...this.fellows.values()].slice(0, helpers).map(({ connection, known }, helper) => {
      for (const { number, memory } of segments) {
        if (known.has(number)) continue;
        known.add(number);
        connection.calls.know(number, memory, rowBytes).catch(() => undefined);
      }
      return connection.calls.help({ entries, limit, batches, board, helpers, helper }).catch(() => null);
    });
    return new SharedWork(board, batches, answers);
  }
}

/** What one thread asked others to help with. */
export class SharedWork {
  constructor(
    private readonly board: Int32Array,
    private readonly batches: Uint32Array,
    private readonly answers: readonly Promise<Uint32Array | null>[],
  ) {}

  /** The batches that are left to whoever asked. */
  taken(): Generator<number> {
    return taking({ board: this.board, helpers: this.answers.length, batches: this.batches }, ASKER);
  }

  /** What the helpers found, and the batches that are still to be done because one of them was lost. */
  async finish(): Promise<{ found: Uint32Array[]; left: number[] }> {
    const found: Uint32Array[] = [];
    const done = new Set([ASKER]);
    for (const [helper, answer] of this.answers.entries()) {
      const became = Atomics.compareExchange(this.board, HELPERS + helper, ASKED, EXCUSED);
      if (became === ASKED) continue;
      const near = await answer;
      if (near === null) continue;
      found.push(near);
      done.add(ASKER + 1 + helper);
    }
    const takers = this.board.subarray(HELPERS + this.answers.length);
    const left = [...takers.keys()].filter((batch) => takers[batch] === NOBODY || !done.has(takers[batch]!));
    return { found, left };
  }
}
