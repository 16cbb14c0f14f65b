/** What ended by itself is started again: at once when it had run well, with growing pauses while it fails. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { connectThread, Restarting, type Connection } from "../../src/remote/index.ts";
import { failureOf, until } from "../harness.ts";
import type { Mortal } from "./mortal.ts";

const start = async (): Promise<Connection<Mortal>> =>
  connectThread<Mortal>(new Worker(join(import.meta.dir, "mortal.ts")), "mortal");

async function restarting(starts: () => Promise<Connection<Mortal>> = start) {
  const troubles: string[] = [];
  const kept = await Restarting.open<Mortal>({
    part: "The part",
    start: starts,
    onTrouble: (what) => troubles.push(what),
  });
  return { kept, troubles, echo: (value: unknown) => kept.use(({ calls }) => calls.echo(value)) };
}

test("what it was doing fails, and the next call is answered by another", async () => {
  const { kept, troubles, echo } = await restarting();
  expect(await echo("before")).toBe("before");
  expect(await failureOf(kept.use(({ calls }) => calls.exit()))).toMatchObject({ code: "INTERNAL" });
  expect(await echo("after")).toBe("after");
  expect(troubles).toEqual(["The part ended by itself and is started again"]);
  await kept.close((mortal) => mortal.end(), 1000);
});

test("one that ends again soon is waited with: calls are refused meanwhile, with the seconds, and it comes back", async () => {
  const { kept, echo } = await restarting();
  for (let death = 0; death < 2; death++) await failureOf(kept.use(({ calls }) => calls.exit()));
  await Bun.sleep(0);
  expect(await failureOf(echo("now"))).toMatchObject({ code: "RESTARTING", retryAfter: 1, status: 503 });
  expect(() => kept.check()).toThrow("The part ended by itself and is being started again. Try again in 1 seconds.");
  await until(() => kept.isRunning, 10_000);
  kept.check();
  expect(await echo("later")).toBe("later");
  await kept.close((mortal) => mortal.end(), 1000);
});

test("a start that fails is told and tried again", async () => {
  let starts = 0;
  const { kept, troubles, echo } = await restarting(async () => {
    if (++starts === 2) throw new Error("not this time");
    return start();
  });
  await failureOf(kept.use(({ calls }) => calls.exit()));
  await until(() => kept.isRunning && starts === 3, 10_000);
  expect(await echo(1)).toBe(1);
  expect(troubles[1]).toMatch(/^The part could not be started again; it is tried again in 1 s$/);
  await kept.close((mortal) => mortal.end(), 1000);
});

test("the first start's failure is the caller's", async () => {
  expect(await restarting(() => Promise.reject(new Error("never"))).catch((error: Error) => error.message)).toBe(
    "never",
  );
});

test("what concerns only its memory is told nobody who is gone, and failures of one who is there are thrown", async () => {
  const { kept } = await restarting();
  await kept.tell(({ calls }) => calls.exit());
  await kept.tell(({ calls }) => calls.end());
  await until(() => kept.isRunning, 10_000);
  expect(
    await kept.tell(async ({ calls }) => void (await calls.refuse("plain"))).catch((error: Error) => error.message),
  ).toBe("refused");
  await kept.close((mortal) => mortal.end(), 1000);
});

test("closed, it refuses, starts nothing, and may be closed again", async () => {
  const { kept, echo } = await restarting();
  const waiting = kept.use(({ calls }) => calls.wait()).catch((error: Error) => error.message);
  await kept.close((mortal) => mortal.end(), 1000);
  expect(await waiting).toBe("it was closed");
  expect(await failureOf(echo(1))).toMatchObject({ code: "SHUTTING_DOWN" });
  await kept.close((mortal) => mortal.end(), 1000);
});
