/** How eagerly the kernel runs a thread. */

const PRIO_PROCESS = 0;
/** 0 is ordinary, 19 the most patient: at 10 a thread gets about a tenth of what an ordinary one gets on a busy core. */
const PATIENT = 10;

/** Makes the calling thread give way to the others: on Linux a niceness belongs to a thread. Elsewhere it does nothing. */
export async function lowerThreadPriority(): Promise<void> {
  if (process.platform !== "linux") return;
  const { dlopen } = await import("bun:ffi");
  const libc = dlopen("libc.so.6", { setpriority: { args: ["i32", "u32", "i32"], returns: "i32" } });
  libc.symbols.setpriority(PRIO_PROCESS, 0, PATIENT);
  libc.close();
}
