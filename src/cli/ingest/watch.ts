/** Says when something may have changed in folders. */
import { watch, type FSWatcher } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { readPathGlob } from "./path-glob.ts";
import { IGNORE_FILE } from "./walk.ts";

export interface WatchOptions {
  /** Below it nothing counts: the data directory changes by what is done about changes. */
  readonly passedBy: string;
  /** Milliseconds without a further change before one is told. */
  readonly quiet: number;
  /** Milliseconds after which changes are told though they do not end. */
  readonly patience: number;
  /** Milliseconds after which it is looked again in any case: some file systems tell of no changes. */
  readonly rescan: number;
}

type OnTrouble = (folder: string, cause: unknown) => void;

/**
 * Yields at once, and then each time when something in these folders and files may have changed, as soon as it is quiet there, until the
 * signal is aborted. A path may be a pattern. `onTrouble` is told of folders that cannot be watched: they are looked at, at every rescan.
 */
export async function* changes(
  paths: readonly string[],
  options: WatchOptions,
  signal: AbortSignal,
  onTrouble: OnTrouble,
): AsyncGenerator<void> {
  const alarm = new Alarm(options);
  const passedBy = await realpath(options.passedBy).catch(() => options.passedBy);
  const watchers = (await foldersOf(paths)).map((folder) => watchFolder(folder, passedBy, alarm, onTrouble));
  const stop = (): void => alarm.ring();
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (!signal.aborted) {
      yield;
      if (!signal.aborted) await alarm.next();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    alarm.stop();
    for (const watcher of watchers) watcher?.close();
  }
}

/** Rings when it is quiet again after what happened, and at the rescan. */
class Alarm {
  private wake: (() => void) | null = null;
  private isDue = false;
  private firstAt: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: WatchOptions) {}

  /** Something happened. */
  touch(): void {
    const now = performance.now();
    this.firstAt ??= now;
    const left = Math.max(0, this.firstAt + this.options.patience - now);
    this.ringAfter(Math.min(this.options.quiet, left));
  }

  ring(): void {
    clearTimeout(this.timer);
    this.firstAt = null;
    this.isDue = true;
    this.wake?.();
  }

  /** Resolves at the next ring; at once where one came meanwhile. */
  async next(): Promise<void> {
    if (this.firstAt === null && !this.isDue) this.ringAfter(this.options.rescan);
    if (!this.isDue) await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = null;
    this.isDue = false;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private ringAfter(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ring(), milliseconds);
  }
}

/** What must be watched so that nothing at these paths is missed; real paths where they are there. */
async function foldersOf(paths: readonly string[]): Promise<string[]> {
  const folders = paths.map(async (path) => {
    const entry = await stat(path).catch(() => null);
    const folder = entry?.isDirectory() ? path : (entry === null && readPathGlob(path)?.folder) || dirname(path);
    return realpath(folder).catch(() => folder);
  });
  return [...new Set(await Promise.all(folders))];
}

function watchFolder(folder: string, passedBy: string, alarm: Alarm, onTrouble: OnTrouble): FSWatcher | null {
  const trouble = (cause: unknown): void => onTrouble(folder, cause);
  try {
    const watcher = watch(folder, { recursive: true }, (_event, name) => {
      if (name === null || counts(folder, name, passedBy)) alarm.touch();
    });
    watcher.on("error", trouble);
    return watcher;
  } catch (error) {
    trouble(error);
    return null;
  }
}

/** Whether what happened to an entry can matter: hidden ones and packages are left out by every walk, but for the file of patterns. */
function counts(folder: string, name: string, passedBy: string): boolean {
  const path = join(folder, name);
  if (path === passedBy || path.startsWith(passedBy + sep)) return false;
  const parts = name.split(sep);
  const isHidden = parts.some((part) => part.startsWith(".") || part === "node_modules");
  return !isHidden || parts.at(-1) === IGNORE_FILE;
}
