/** How eagerly the kernel runs a thread, and which process it ends first when memory runs out. */
import { readdirSync, writeFileSync } from "node:fs";
import { getPriority } from "node:os";

const PRIO_PROCESS = 0;
/** 0 is ordinary, 19 the most patient: at 10 a thread gets about a tenth of what an ordinary one gets on a busy core. */
const PATIENT = 10;

/** The policy of threads that are scheduled as usual. */
const SCHED_OTHER = 0;
/** Threads and processes that it starts are not scheduled as it is. */
const RESET_ON_FORK = 1n;
/** `sched_setattr`, which the C library does not offer everywhere. */
const SYSTEM_CALL = { x64: 314, arm64: 274 };
const ATTRIBUTE_BYTES = 48;
/** The usual ones are of 1.4 to 2.8 milliseconds, the more the more cores there are. */
const SHORT_TURN_NANOSECONDS = 400_000n;

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

/**
 * Asks for short turns for the calling thread, which answers and waits more than it computes: for them it is let in sooner where others
 * compute on every core, its own fellows among them. Linux can since 6.12; elsewhere, and where another policy was chosen for it, nothing changes.
 */
export async function takeShortTurns(): Promise<void> {
  const call = SYSTEM_CALL[process.arch as keyof typeof SYSTEM_CALL];
  // A raised priority would not be passed on to what it starts either.
  if (process.platform !== "linux" || call === undefined || getPriority() < 0) return;
  const { dlopen } = await import("bun:ffi");
  const libc = dlopen("libc.so.6", {
    sched_getscheduler: { args: ["i32"], returns: "i32" },
    syscall: { args: ["i64", "i64", "ptr", "i64"], returns: "i64" },
  });
  if (libc.symbols.sched_getscheduler(0) === SCHED_OTHER) {
    const attributes = new DataView(new ArrayBuffer(ATTRIBUTE_BYTES));
    attributes.setUint32(0, ATTRIBUTE_BYTES, true);
    attributes.setUint32(4, SCHED_OTHER, true);
    attributes.setBigUint64(8, RESET_ON_FORK, true);
    attributes.setInt32(16, getPriority(), true);
    attributes.setBigUint64(24, SHORT_TURN_NANOSECONDS, true);
    libc.symbols.syscall(call, 0, new Uint8Array(attributes.buffer), 0);
  }
  libc.close();
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
