/** An object in a thread or process of its own that answers, is silent, or dies, as it is asked. */
import { fail } from "../../src/foundation/errors.ts";
import { serveParent, serveThread } from "../../src/remote/serve.ts";
import { transfer } from "../../src/remote/transfer.ts";

class Mortal {
  aborted = 0;

  echo(value: unknown): unknown {
    return value;
  }

  refuse(kind: "plain" | "range" | "table"): unknown {
    if (kind === "plain") throw Object.assign(new Error("refused", { cause: new Error("because") }), { name: "Odd" });
    if (kind === "range") throw new RangeError("too much");
    throw fail("EMPTY_FILE", { file: "a.txt" }, { file: "a.txt" }, new Error("zero bytes"));
  }

  /** A megabyte that moves. */
  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length).fill(7);
    return transfer(bytes, [bytes]);
  }

  wait(signal?: AbortSignal): Promise<never> {
    signal?.addEventListener("abort", () => this.aborted++);
    return new Promise(() => {});
  }

  abortions(): number {
    return this.aborted;
  }

  async *count(to: number, signal?: AbortSignal): AsyncGenerator<number> {
    for (let number = 1; number <= to; number++) {
      await Bun.sleep(1);
      if (signal?.aborted) return;
      yield number;
    }
  }

  async *countAndFail(): AsyncGenerator<number> {
    yield 1;
    throw new Error("no further");
  }

  call(back: (word: string, number: number) => void): void {
    back("one", 1);
    back("two", 2);
  }

  exit(): Promise<never> {
    console.error("last words");
    process.exit(3);
  }

  throwOutside(): Promise<never> {
    setTimeout(() => {
      throw new Error("thrown outside any call");
    });
    return new Promise(() => {});
  }

  processId(): number {
    return process.pid;
  }

  end(): void {}
}

export type { Mortal };

if (Bun.isMainThread) await serveParent(new Mortal());
else serveThread(new Mortal());
