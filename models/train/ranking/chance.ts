/** Chance that is the same in every run: question sets are made anew, never kept. */

/** Numbers in [0, 1) that only the seed decides (xoshiro's splitmix, 32 bits: Steele et al., 2014). */
export class Chance {
  #state: number;

  constructor(seed: string) {
    let hash = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(seed)) hash = Math.imul(hash ^ byte, 0x01000193);
    this.#state = hash >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.next();
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Up to `count` of the items, in an order by chance. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    const left = [...items];
    const drawn: Item[] = [];
    while (drawn.length < count && left.length > 0) drawn.push(...left.splice(this.below(left.length), 1));
    return drawn;
  }
}
