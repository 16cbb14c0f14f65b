/** What a process and a folder take, as Linux tells it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Resident memory, megabytes. Throws when there is no such process. */
export function memoryMegabytes(pid: number): { total: number; anonymous: number } {
  return { total: statusOf(pid, "VmRSS") / 1024, anonymous: statusOf(pid, "RssAnon") / 1024 };
}

export function threadCount(pid: number): number {
  return statusOf(pid, "Threads");
}

/** Open file descriptors. */
export function descriptorCount(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Processes that this one started and that still run, and theirs. */
export function descendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readIfThere(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...ifAlive(() => descendants(child), [])]);
}

/** Seconds of processor time so far, user and system. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Bytes of all files in a folder, as long as they are; what vanishes meanwhile does not count. */
export function folderBytes(folder: string): number {
  return ifAlive(() => readdirSync(folder, { withFileTypes: true, recursive: true }), [])
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fileBytes(join(entry.parentPath, entry.name)), 0);
}

/** 0 where there is none. */
export function fileBytes(path: string): number {
  return ifAlive(() => statSync(path).size, 0);
}

/** 0 of a process that has ended and that nobody has asked for its end: it holds nothing. */
function statusOf(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
}

function readIfThere(path: string): string {
  return ifAlive(() => readFileSync(path, "utf8"), "");
}

/** What is read, or something else where the process or file has ended meanwhile. */
export function ifAlive<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch (error) {
    if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return otherwise;
  }
}
