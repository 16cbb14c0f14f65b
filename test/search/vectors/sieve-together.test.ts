/** Several threads that sieve one dataset find what one of them finds alone, whoever is busy and whoever is lost. */
import { expect, test } from "bun:test";
import { servePort } from "../../../src/remote/serve.ts";
import { inSlices } from "../../../src/search/slices.ts";
import { Closest } from "../../../src/search/vectors/closest.ts";
import { Fellows, SieveHelper } from "../../../src/search/vectors/sieve-together.ts";
import { SignBlocks } from "../../../src/search/vectors/sign-blocks.ts";
import { signTables } from "../../../src/search/vectors/sign-tables.ts";

const THREADS = 3;
const ROWS = 600_000;
const BYTES = 16;
const signs = new Uint8Array(ROWS * BYTES);
for (let at = 0; at < signs.length; at += 65_536) crypto.getRandomValues(signs.subarray(at, at + 65_536));
const tables = signTables(
  Int8Array.from({ length: 128 }, (_, at) => ((at * 37) % 255) - 127),
  BYTES,
);
const dead = new Uint8Array(ROWS);
dead.fill(1, 1000, 5000);
const intervals = [
  { start: 3, end: 200_001 },
  { start: 200_100, end: ROWS - 7 },
];

/** What a search of the same rows finds with these helpers, in row order. */
async function search(fellows: Fellows): Promise<{ row: number; distance: number }[]> {
  const blocks = new SignBlocks(BYTES, fellows);
  blocks.append(signs, BYTES);
  const closest = new Closest(3000, tables.farthest);
  await inSlices(blocks.sieve(tables, intervals, dead, closest));
  const { rows, distances } = closest.kept();
  return Array.from(rows, (row, at) => ({ row, distance: distances[at]! })).sort((one, other) => one.row - other.row);
}

function meet(fellows: Fellows, other: number, api: object): void {
  const { port1, port2 } = new MessageChannel();
  servePort(port2, api);
  fellows.meet(other, port1);
}

const alone = search(new Fellows());

test("helpers find their part", async () => {
  const fellows = new Fellows({ own: 0, threads: THREADS });
  const found: number[] = [];
  for (const own of [1, 2]) {
    const helper = new SieveHelper({ own, threads: THREADS });
    const help = helper.help.bind(helper);
    helper.help = async (task) => {
      const near = await help(task);
      found.push(near.length);
      return near;
    };
    meet(fellows, own, helper);
  }
  expect(await search(fellows)).toEqual(await alone);
  expect(await search(fellows)).toEqual(await alone);
  expect(Math.max(...found)).toBeGreaterThan(0);
});

test("nobody waits for one that is busy with something else", async () => {
  const fellows = new Fellows({ own: 0, threads: THREADS });
  meet(fellows, 1, { know: () => {}, help: () => new Promise(() => {}) });
  expect(await search(fellows)).toEqual(await alone);
});

test("what a lost one had taken is done again", async () => {
  const fellows = new Fellows({ own: 0, threads: THREADS });
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  meet(fellows, 1, {
    know: () => {},
    // Begins, as the board has it, takes three batches, notes two of them, and is gone.
    help: ({ board, helpers }: { board: Int32Array; helpers: number }) => {
      Atomics.store(board, 1, 1);
      for (let taking = 0; taking < 3; taking++) {
        const batch = Atomics.add(board, 0, 1);
        if (taking < 2) Atomics.store(board, 1 + helpers + batch, 2);
      }
      resolve();
      return new Promise(() => {});
    },
  });
  const searching = search(fellows);
  await taken;
  fellows.part(1);
  expect(await searching).toEqual(await alone);
});
