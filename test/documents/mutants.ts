/** Damaged copies of a file, the same for the same seed, and what must become of them. */
import { expect } from "bun:test";
import { Random } from "../../bench/random.ts";
import { readBlocks } from "../../src/documents/read-document.ts";
import { LecternError } from "../../src/foundation/errors.ts";

/** Copies with bytes changed, ends cut off, and parts of the file put elsewhere in it. */
export function* mutantsOf(whole: Uint8Array, count: number, seed = 1): Generator<Uint8Array> {
  const random = new Random(seed);
  const { length } = whole;
  const damages = [
    (mutant: Uint8Array) => {
      for (let times = 1 + random.below(8); times > 0; times -= 1) mutant[random.below(length)] = random.below(256);
      return mutant;
    },
    (mutant: Uint8Array) => mutant.subarray(0, random.below(length)),
    (mutant: Uint8Array) => {
      const from = random.below(length);
      return mutant.copyWithin(random.below(length), from, from + 1 + random.below(64));
    },
  ];
  for (let index = 0; index < count; index += 1)
    yield damages[index % damages.length]?.(Uint8Array.from(whole)) ?? whole;
}

/** Reads them all: each gives text, or an error that says what is wrong with the file. */
export async function expectCleanEnds(name: string, whole: Uint8Array, count = 300): Promise<void> {
  for (const mutant of mutantsOf(whole, count)) {
    try {
      expect((await readBlocks(mutant, name, null)).blocks).not.toBeEmpty();
    } catch (error) {
      expect(error).toBeInstanceOf(LecternError);
      expect(error).toMatchObject({ status: 400 });
    }
  }
}
