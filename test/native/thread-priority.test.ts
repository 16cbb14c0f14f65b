/** Turns that the kernel gives to a thread that answers: short ones, which it does not hand down. */
import { dlopen } from "bun:ffi";
import { expect } from "bun:test";
import { readdirSync } from "node:fs";
import { release } from "node:os";
import { takeShortTurns } from "../../src/native/index.ts";
import { linux, testWith, type Requirement } from "../requirements.ts";

const [major = 0, minor = 0] = release().split(".").map(Number);
const recentKernel: Requirement = { isMet: major > 6 || (major === 6 && minor >= 12), what: "Linux 6.12" };
const SCHED_GETATTR = process.arch === "arm64" ? 275 : 315;
const ATTRIBUTE_BYTES = 56;

/** Of a thread of this process; 0: the calling one. */
function scheduling(thread: number): { policy: number; nice: number; nanoseconds: number } {
  const libc = dlopen("libc.so.6", { syscall: { args: ["i64", "i64", "ptr", "i64", "i64"], returns: "i64" } });
  const read = new DataView(new ArrayBuffer(ATTRIBUTE_BYTES));
  const failure = libc.symbols.syscall(SCHED_GETATTR, thread, new Uint8Array(read.buffer), ATTRIBUTE_BYTES, 0);
  libc.close();
  expect(Number(failure)).toBe(0);
  return {
    policy: read.getUint32(4, true),
    nice: read.getInt32(16, true),
    nanoseconds: Number(read.getBigUint64(24, true)),
  };
}

const threads = (): number[] => readdirSync("/proc/self/task").map(Number);

testWith(linux, recentKernel)("a thread takes short turns, and those that it starts usual ones", async () => {
  const usual = scheduling(0);
  const before = threads();
  await takeShortTurns();
  const short = scheduling(0);
  expect(short).toEqual({ ...usual, nanoseconds: short.nanoseconds });
  expect(short.nanoseconds).toBeLessThan(usual.nanoseconds);

  const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(0); setInterval(() => {}, 1000);"])));
  await new Promise((resolve) => (worker.onmessage = resolve));
  const started = threads().filter((thread) => !before.includes(thread));
  expect(started).not.toBeEmpty();
  for (const thread of started) expect(scheduling(thread)).toEqual(usual);
  worker.terminate();
});
