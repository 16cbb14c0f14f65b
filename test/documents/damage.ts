/** Files as they arrive when something went wrong on the way: made from whole ones by a seeded generator, the same in every run. */
import { LecternError } from "../../src/foundation/errors.ts";
import { readBlocks } from "../../src/documents/read-document.ts";

/** The file with bytes changed, cut off, or with stretches of it lost or repeated. */
export function* damaged(whole: Uint8Array, count: number): Generator<Uint8Array> {
  const random = generator(whole.length);
  for (let index = 0; index < count; index += 1) {
    const from = random(whole.length);
    const to = from + random(Math.min(200, whole.length - from));
    if (index % 4 === 0) yield whole.subarray(0, from);
    else if (index % 4 === 1) yield Buffer.concat([whole.subarray(0, from), whole.subarray(to)]);
    else if (index % 4 === 2) yield Buffer.concat([whole.subarray(0, to), whole.subarray(from)]);
    else {
      const changed = Uint8Array.from(whole);
      for (let changes = random(20); changes >= 0; changes -= 1) changed[random(whole.length)] = random(256);
      yield changed;
    }
  }
}

/** What was thrown for a damaged file that is not a refusal that its sender is told of. */
export async function faultsOf(name: string, whole: Uint8Array, count: number): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const bytes of damaged(whole, count)) {
    try {
      await readBlocks(bytes, name, null);
    } catch (error) {
      if (!(error instanceof LecternError) || error.status !== 400) faults.push(error);
    }
  }
  return faults;
}

/** Whole numbers below a bound (mulberry32). */
function generator(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return bound <= 0 ? 0 : ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}
