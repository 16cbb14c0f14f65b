/** How much memory this machine has, or the control groups that this process runs in (version 2 and 1): what a container or a service unit allows. */
import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";

/** The files of one version of control groups. */
interface Version {
  readonly root: string;
  readonly limit: string;
  readonly used: string;
  /** The line of `memory.stat` that says how much of it are files' bytes, which the kernel drops when memory is short. */
  readonly droppable: RegExp;
}

const VERSION_2: Version = {
  root: "/sys/fs/cgroup",
  limit: "memory.max",
  used: "memory.current",
  droppable: /^inactive_file (\d+)$/m,
};
const VERSION_1: Version = {
  root: "/sys/fs/cgroup/memory",
  limit: "memory.limit_in_bytes",
  used: "memory.usage_in_bytes",
  droppable: /^total_inactive_file (\d+)$/m,
};

/** Reads a file whole; null when there is none. */
type ReadFile = (path: string) => string | null;

/** Bytes of memory that this machine, or the container it runs in, has. */
export function machineBytes(read: ReadFile = readIfThere): number {
  return Math.min(totalmem(), ...groups(read).map(({ limit }) => limit));
}

/** Of the memory, for indexes, where nothing else is asked for. */
const INDEX_SHARE = 0.5;

/** Bytes for indexes. `asked`: by the option; 0: the default. */
export const indexBytes = (asked: number): number => asked || machineBytes() * INDEX_SHARE;

/** Bytes that can be had without pushing others out. */
export function availableBytes(read: ReadFile = readIfThere): number {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(read("/proc/meminfo") ?? "")?.[1];
  const free = available === undefined ? freemem() : Number(available) * 1024;
  return Math.max(0, Math.min(free, ...groups(read).map(({ limit, used }) => limit - used)));
}

/**
 * The limits that hold for this process: of its group, and of every group around it. A container may see the path that its group
 * has outside, where nothing lies; its own group is then the root.
 */
function groups(read: ReadFile): Array<{ limit: number; used: number }> {
  const lines = (read("/proc/self/cgroup") ?? "").split("\n").map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line));
  return lines.flatMap((line) => {
    const [, controllers = "", path = ""] = line ?? [];
    if (line === null || (controllers !== "" && !controllers.split(",").includes("memory"))) return [];
    const version = controllers === "" ? VERSION_2 : VERSION_1;
    return withParents(path).flatMap((place) => groupAt(`${version.root}${place}`, version, read) ?? []);
  });
}

/** `/a/b` → `/a/b`, `/a` and the root, which is empty. */
function withParents(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return Array.from({ length: parts.length + 1 }, (_, up) =>
    parts
      .slice(0, parts.length - up)
      .map((part) => `/${part}`)
      .join(""),
  );
}

/** null where there is no group or it has no limit, which the first version writes as a number beyond any memory. */
function groupAt(folder: string, version: Version, read: ReadFile): { limit: number; used: number } | null {
  const limit = Number(read(`${folder}/${version.limit}`)?.trim());
  if (!(limit > 0 && limit < Number.MAX_SAFE_INTEGER)) return null;
  const droppable = version.droppable.exec(read(`${folder}/memory.stat`) ?? "")?.[1] ?? 0;
  return { limit, used: Number(read(`${folder}/${version.used}`) ?? 0) - Number(droppable) };
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
