/** Limits that the kernel holds a child process to, also when whoever started it is gone. */
import { dlopen, FFIType, ptr } from "bun:ffi";

/** As Linux numbers them. */
const resources = { processorSeconds: 0, fileBytes: 1 } as const;

/** What a process may take of each at most. */
export type ProcessLimits = Readonly<Partial<Record<keyof typeof resources, number>>>;

/** It is ended by a signal when it passes one. Does nothing elsewhere than on Linux, or where the process is gone. */
export function limitProcess(processId: number, limits: ProcessLimits): void {
  if (process.platform !== "linux") return;
  const libc = dlopen("libc.so.6", {
    prlimit: { args: [FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  });
  for (const [name, most] of Object.entries(limits)) {
    const soft = BigInt(Math.ceil(most));
    const limit = BigUint64Array.of(soft, soft);
    libc.symbols.prlimit(processId, resources[name as keyof typeof resources], ptr(limit), null);
  }
  libc.close();
}
