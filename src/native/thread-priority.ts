/** How eagerly the kernel runs a thread, and which process it ends first when memory runs out. */
import { readdirSync, writeFileSync } from "node:fs";

const PRIO_PROCESS = 0;
/** 0 is ordinary, 19 the most patient: at 10 a thread gets about a tenth of what an ordinary one gets on a busy core. */
const PATIENT = 10;

/** As `oom_score_adj`: what the kernel adds to the thousandths of all memory that a process takes; the highest sum goes first. */
const EXPENDABILITY = { first: "1000", early: "500" };

/** Makes the calling thread give way to the others: on Linux a niceness belongs to a thread. Elsewhere it does nothing. */
export async function lowerThreadPriority(): Promise<void> {
  await lower([0]);
}

/** Makes the whole of this process, and every thread it starts from now on, give way to others. */
export async function giveWay(): Promise<void> {
  if (process.platform === "linux") await lower(readdirSync("/proc/self/task").map(Number));
}

/** Offers this process to the kernel when memory runs out: "first" before all others, "early" before those that are not larger by half of the memory. */
export function beExpendable(when: keyof typeof EXPENDABILITY): void {
  if (process.platform !== "linux") return;
  try {
    writeFileSync("/proc/self/oom_score_adj", EXPENDABILITY[when]);
  } catch {
    // A container may forbid it; the rest holds all the same.
  }
}

/** Lowers the priority of threads; 0 is the calling one. */
async function lower(threads: readonly number[]): Promise<void> {
  if (process.platform !== "linux") return;
  const { dlopen } = await import("bun:ffi");
  const libc = dlopen("libc.so.6", { setpriority: { args: ["i32", "u32", "i32"], returns: "i32" } });
  for (const thread of threads) libc.symbols.setpriority(PRIO_PROCESS, thread, PATIENT);
  libc.close();
}
