/** Makes a child process end when its parent does, even while a parser keeps it too busy to notice. */
import { dlopen, FFIType } from "bun:ffi";

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/**
 * Ends this process when the IPC channel closes and, on Linux, has the kernel kill it when the parent dies. The second
 * holds in the middle of an endless loop too, where no event is delivered.
 */
export function endWithParent(): void {
  process.on("disconnect", () => process.exit(0));
  if (process.platform !== "linux") return;
  const parent = process.ppid;
  const libc = dlopen("libc.so.6", {
    prctl: { args: [FFIType.i32, FFIType.u64, FFIType.u64, FFIType.u64, FFIType.u64], returns: FFIType.i32 },
  });
  libc.symbols.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // The parent may have died before the request was in place.
  if (process.ppid !== parent) process.exit(0);
}
