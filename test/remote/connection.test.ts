/** Calls to an object elsewhere: what gets across, and that whoever waits is told when the other end is gone. */
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ChildProcess, connectThread, type Connection } from "../../src/remote/index.ts";
import type { LecternError } from "../../src/foundation/errors.ts";
import { failureOf } from "../harness.ts";
import type { Mortal } from "./mortal.ts";

const script = join(import.meta.dir, "mortal.ts");
const open: Connection<Mortal>[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close((mortal) => mortal.end(), 1000);
});

function remember(connection: Connection<Mortal>): Connection<Mortal> {
  open.push(connection);
  return connection;
}

const startProcess = (): ChildProcess<Mortal> => {
  const child = new ChildProcess<Mortal>({
    command: [process.execPath, script],
    environment: process.env as Record<string, string>,
    reasonFor: (end) => end,
  });
  remember(child.connection);
  return child;
};

const kinds = {
  thread: () => remember(connectThread<Mortal>(new Worker(script), "mortal")),
  "child process": () => startProcess().connection,
};

for (const [kind, start] of Object.entries(kinds)) {
  describe(`a ${kind}`, () => {
    test("answers with what it is given, side by side", async () => {
      const { calls } = start();
      const values = [1, "two", null, undefined, { deep: [new Float32Array([1.5])] }, [new Map([[1, 2]])]];
      expect(await Promise.all(values.map((value) => calls.echo(value)))).toEqual(values);
    });

    test("throws what is thrown there, with its code, its values and its causes", async () => {
      const { calls } = start();
      const plain = (await calls.refuse("plain").catch((error) => error)) as Error;
      expect([plain.name, plain.message, (plain.cause as Error).message]).toEqual(["Odd", "refused", "because"]);
      expect(plain.stack).toContain("mortal.ts");
      expect(await calls.refuse("range").catch((error) => error)).toBeInstanceOf(RangeError);
      const ours = (await failureOf(calls.refuse("table"))) as LecternError;
      expect([ours.code, ours.message, ours.details]).toEqual([
        "EMPTY_FILE",
        'The file "a.txt" is empty.',
        { file: "a.txt" },
      ]);
      expect((ours.cause as Error).message).toBe("zero bytes");
      expect(await (calls as unknown as { none(): Promise<unknown> }).none().catch((error) => error)).toBeInstanceOf(
        Error,
      );
    });

    test("hands over large results", async () => {
      const bytes = await start().calls.bytes(1 << 20);
      expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([1 << 20, 7, 7]);
    });

    test("streams, to the end or to a failure", async () => {
      const { streams } = start();
      expect(await Array.fromAsync(streams.count(5))).toEqual([1, 2, 3, 4, 5]);
      const seen: number[] = [];
      const failing = (async () => {
        for await (const number of streams.countAndFail()) seen.push(number);
      })();
      expect(await failing.catch((error: Error) => error.message)).toBe("no further");
      expect(seen).toEqual([1]);
    });

    test("an abort reaches across, and whoever waits gets its reason at once", async () => {
      const { calls, streams } = start();
      await calls.echo(0);
      const controller = new AbortController();
      const waiting = calls.wait(controller.signal).catch((error: unknown) => error);
      controller.abort("enough");
      expect(await waiting).toBe("enough");
      expect(await calls.abortions()).toBe(1);
      expect(await calls.wait(AbortSignal.abort("before")).catch((error: unknown) => error)).toBe("before");
      const counting = new AbortController();
      const counted = Array.fromAsync(streams.count(1e6, counting.signal)).catch((error: unknown) => error);
      counting.abort("no more");
      expect(await counted).toBe("no more");
    });

    test("calls the functions that it is given", async () => {
      const heard: unknown[] = [];
      await start().calls.call((word, number) => heard.push([word, number]));
      expect(heard).toEqual([
        ["one", 1],
        ["two", 2],
      ]);
    });

    for (const death of ["exit", "throwOutside"] as const) {
      test(`that dies (${death}) fails what waits and every later call, and is closed at once`, async () => {
        const connection = start();
        const waiting = connection.calls.wait().catch((error: Error) => error);
        const stream = Array.fromAsync(connection.streams.count(1e9)).catch((error: Error) => error);
        const dying = connection.calls[death]().catch((error: Error) => error);
        const reason = await connection.whenEnded;
        expect(reason).toBeInstanceOf(Error);
        for (const outcome of [waiting, stream, dying, connection.calls.echo(1).catch((error: Error) => error)])
          expect(await outcome).toBe(reason as Error);
        await connection.close((mortal) => mortal.end(), 10_000);
      });
    }

    test("that does not finish is closed within the limit", async () => {
      const connection = start();
      const waiting = connection.calls.wait().catch((error: Error) => error.message);
      const before = performance.now();
      await connection.close((mortal) => mortal.wait(), 100);
      expect(performance.now() - before).toBeWithin(90, 5000);
      expect(await waiting).toBe("it was closed");
    });
  });
}

test("a thread that ends is INTERNAL to clients, and the log is told which it was", async () => {
  const connection = kinds.thread();
  const failure = (await failureOf(connection.calls.throwOutside())) as LecternError;
  expect(failure.code).toBe("INTERNAL");
  expect((failure.cause as Error).message).toMatch(/the thread mortal failed: .*thrown outside any call/s);
});

describe("a process", () => {
  test("is killed with a reason, and gone", async () => {
    const child = startProcess();
    await child.ready;
    expect(child.residentBytes()).toBeGreaterThan(1e6);
    while (child.processorSeconds() === 0) await child.connection.calls.echo(new Uint8Array(1 << 20));
    const waiting = child.connection.calls.wait().catch((error: unknown) => error);
    child.kill("because");
    expect(await waiting).toBe("because");
    expect(child.alive).toBe(false);
    await child.exited();
    expect([child.residentBytes(), child.processorSeconds()]).toEqual([0, 0]);
  });

  test("that ends by itself says how, with its last words", async () => {
    const child = startProcess();
    await child.ready;
    const end = (await child.connection.calls.exit().catch((error: unknown) => error)) as Error;
    expect(end.message).toMatch(/^exit code 3: .*last words/s);
  });

  test("that cannot be started is never ready", async () => {
    const child = new ChildProcess<Mortal>({
      command: [process.execPath, "-e", "process.exit(9)"],
      environment: process.env as Record<string, string>,
      reasonFor: (end) => end,
    });
    expect(await child.ready.catch((error: Error) => error.message)).toStartWith("exit code 9");
    expect(await child.connection.calls.echo(1).catch((error: Error) => error.message)).toStartWith("exit code 9");
  });
});
