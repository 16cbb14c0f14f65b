/** Which datasets stay in memory, over all threads. */
import { afterEach, expect, test } from "bun:test";
import { MemoryLedger } from "../../src/search/memory-ledger.ts";
import { OpenDatasets } from "../../src/search/open-datasets.ts";

const opened: OpenDatasets<{ bytes: number }>[] = [];
afterEach(() => opened.splice(0).forEach((datasets) => void datasets.close()));

/** Two threads' datasets, each of as many bytes as its number says. */
function twoThreads(most: number, bytes: number) {
  const notes = MemoryLedger.shared(2);
  return [0, 1].map((own) => {
    const room = { most, bytes, ledger: new MemoryLedger(notes, own) };
    const datasets = new OpenDatasets(room, async (datasetId) => ({ bytes: datasetId }));
    opened.push(datasets);
    return datasets;
  }) as [OpenDatasets<{ bytes: number }>, OpenDatasets<{ bytes: number }>];
}
const present = async (datasets: OpenDatasets<{ bytes: number }>): Promise<number[]> =>
  (await datasets.all()).map(({ bytes }) => bytes);

test("what others take counts, and what is let go counts no more, the last one too", async () => {
  const [one, other] = twoThreads(10, 100);
  await other.use(90);
  expect(one.isFull).toBe(false);
  await one.use(8);
  await one.use(9);
  expect(await present(one)).toEqual([9]);
  other.letGo(90);
  await one.use(8);
  await one.use(7);
  expect(await present(one)).toEqual([9, 8, 7]);
  expect(one.isFull).toBe(false);
});

test("so many stay over all threads, wherever their homes are", async () => {
  const [one, other] = twoThreads(3, Infinity);
  for (const datasetId of [1, 2, 3]) await one.use(datasetId);
  expect(await present(one)).toEqual([1, 2, 3]);
  await other.use(4);
  await one.use(5);
  expect([await present(one), await present(other)]).toEqual([[3, 5], [4]]);
});

test("one that is larger than all memory stays while it is used", async () => {
  const [one] = twoThreads(10, 100);
  await one.use(500);
  one.makeRoom();
  expect(await present(one)).toEqual([500]);
  expect(one.isFull).toBe(true);
});
