/** How many cores can really compute: two threads of one core share its arithmetic, and llama.cpp waits for the slowest. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

let counted: number | undefined;

/** Physical cores of this machine, at most as many as this process may use. */
export function realCores(): number {
  return (counted ??= Math.max(
    1,
    Math.min(physicalCores() ?? Infinity, processorQuota() ?? Infinity, availableParallelism()),
  ));
}

function physicalCores(): number | null {
  const text = read("/proc/cpuinfo");
  if (text === null) return null;
  const cores = new Set<string>();
  for (const block of text.split(/\n\n+/)) {
    const core = /^core id\s*:\s*(\d+)/m.exec(block)?.[1];
    if (core !== undefined) cores.add(`${/^physical id\s*:\s*(\d+)/m.exec(block)?.[1] ?? 0}/${core}`);
  }
  return cores.size > 0 ? cores.size : null;
}

/** Whole processors that a container may use (control groups, version 2). */
function processorQuota(): number | null {
  const [quota, period] = (read("/sys/fs/cgroup/cpu.max") ?? "max").split(/\s+/).map(Number);
  return Number.isFinite(quota) && period! > 0 ? Math.max(1, Math.floor(quota! / period!)) : null;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
