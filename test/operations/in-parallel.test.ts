/** Bounded parallel work. */
import { expect, test } from "bun:test";
import { failureOf } from "../harness.ts";
import { inParallel } from "../../src/operations/in-parallel.ts";

const never = new AbortController().signal;

test("results come in the items' order, never more at a time than allowed", async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([30, 5, 20, 1, 10], 2, never, async (milliseconds) => {
    most = Math.max(most, ++running);
    await Bun.sleep(milliseconds);
    running--;
    return milliseconds * 2;
  });
  expect(results).toEqual([60, 10, 40, 2, 20]);
  expect(most).toBe(2);
});

test("the first failure is thrown, after the running work was told and has ended; the rest is not begun", async () => {
  const ended: number[] = [];
  const work = inParallel([1, 2, 3, 4], 2, never, async (item, signal) => {
    if (item === 1) throw new Error("first");
    while (!signal.aborted) await Bun.sleep(1);
    ended.push(item);
    throw new Error("second");
  });
  expect((await failureOf(work)).message).toBe("first");
  expect(ended).toEqual([2]);
});

test("an aborted signal stops it", async () => {
  const controller = new AbortController();
  const work = inParallel([1, 2, 3], 1, controller.signal, async (item) => {
    controller.abort(new Error("stop"));
    return item;
  });
  expect((await failureOf(work)).message).toBe("stop");
});

test("nothing to do is done at once", async () => {
  expect(await inParallel([], 3, never, () => Promise.reject(new Error("never called")))).toEqual([]);
});
