/** The built executable, copied alone into an empty folder, and the project out of its reach. */
import { constants, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Requirement } from "../requirements.ts";

const project = join(import.meta.dir, "../..");
const START_SECONDS = 30;

/** Named by `bun run verify` once it has built; without it the tests of this folder are skipped. */
export const builtExecutable: string | null = process.env.LECTERN_TEST_EXECUTABLE || null;
export const executable: Requirement = {
  isMet: builtExecutable !== null,
  what: "LECTERN_TEST_EXECUTABLE to name the built executable",
};

export interface Alone {
  folder: string;
  executable: string;
  dataDirectory: string;
  /** A copy of the project's samples. */
  samples: string;
  /** The whole environment that the executable gets. */
  environment: Record<string, string>;
  remove(): void;
}

/** An empty folder with the executable, a home, a folder for temporary files, and the samples. */
export function placeAlone(): Alone {
  const folder = mkdtempSync(join(tmpdir(), "lectern-alone-"));
  const executable = join(folder, "lectern");
  copyFileSync(builtExecutable!, executable, constants.COPYFILE_FICLONE);
  for (const name of ["home", "tmp"]) mkdirSync(join(folder, name));
  cpSync(join(project, "samples"), join(folder, "samples"), { recursive: true });
  return {
    folder,
    executable,
    dataDirectory: join(folder, "data"),
    samples: join(folder, "samples"),
    environment: {
      PATH: "/usr/bin:/bin",
      HOME: join(folder, "home"),
      TMPDIR: join(folder, "tmp"),
      LECTERN_LOG_FORMAT: "json",
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Words to put before a command so that it sees an empty folder in the project's place; null where this system does not permit that. */
export const hidingProject: readonly string[] | null = findPermitted([
  ["unshare", "--mount", "sh", "-c", `mount -t tmpfs none '${project}' && exec "$@"`, "sh"],
  ["unshare", "--mount", "--map-root-user", "sh", "-c", `mount -t tmpfs none '${project}' && exec "$@"`, "sh"],
]);

/** Words to put before a command so that it has no network but a loopback of its own, down at first; null where not permitted. */
export const withoutNetwork: readonly string[] | null = findPermitted([
  ["unshare", "--net"],
  ["unshare", "--net", "--map-root-user"],
]);

export const mountNamespaces: Requirement = {
  isMet: hidingProject !== null,
  what: "mount namespaces to be permitted, that hide the project",
};
export const networkNamespaces: Requirement = {
  isMet: withoutNetwork !== null,
  what: "network namespaces to be permitted",
};

function findPermitted(candidates: string[][]): string[] | null {
  return candidates.find((words) => runs([...words, "true"])) ?? null;
}

/** Whether a command can be started and ends well. */
export function runs(command: string[]): boolean {
  try {
    return Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
  } catch {
    return false;
  }
}

export interface Started {
  url: string;
  /** Of the customer `default`, when this start made it. */
  apiKey: string | null;
  /** The lines on standard output until it was ready. */
  lines: Record<string, string>[];
  /** Seconds from start to the line with the address. */
  seconds: number;
  /** Ends it, if it still runs, and resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** Starts `lectern serve --json` on a free port behind the given words. Throws with its log when it does not become ready. */
export async function start(alone: Alone, before: readonly string[] = []): Promise<Started> {
  const began = performance.now();
  const child = Bun.spawn(
    [...before, alone.executable, "serve", "--json", "--port", "0", "--data-dir", alone.dataDirectory],
    {
      cwd: alone.folder,
      env: alone.environment,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const stderr = new Response(child.stderr).text();
  const timer = setTimeout(() => child.kill("SIGKILL"), START_SECONDS * 1000);
  const lines: Record<string, string>[] = [];
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  for (let rest = ""; !lines.some((line) => "url" in line); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The executable did not start:\n${await stderr}`);
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((part) => JSON.parse(part) as Record<string, string>));
  }
  clearTimeout(timer);
  const seconds = (performance.now() - began) / 1000;
  // strace and unshare run it as a child of theirs or in their place: the server itself says who it is.
  const pid = Number(lines.find((line) => "pid" in line)!.pid);
  return {
    url: lines.find((line) => "url" in line)!.url!,
    apiKey: lines.find((line) => "apiKey" in line)?.apiKey ?? null,
    lines,
    seconds,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) process.kill(pid, signal);
      return await child.exited;
    },
  };
}

/** Runs one command of the executable to its end, behind the given words. */
export function command(
  alone: Alone,
  words: string[],
  before: readonly string[] = [],
): { code: number; stdout: string; stderr: string } {
  const result = Bun.spawnSync([...before, alone.executable, ...words, "--data-dir", alone.dataDirectory], {
    cwd: alone.folder,
    env: alone.environment,
    stdin: "ignore",
  });
  return { code: result.exitCode, stdout: result.stdout.toString(), stderr: result.stderr.toString() };
}
