/**
 * Running one step of a script after the other, with its time. Only Bun's own modules are used here: the first step
 * installs everything else.
 */
import { join } from "node:path";

/** The project's root. */
export const root = join(import.meta.dir, "..");

export interface StepResult {
  ok: boolean;
  /** Standard output and standard error together. */
  output: string;
  seconds: number;
}

export interface StepOptions {
  environment?: Record<string, string>;
  /** Shows the command's lines while it runs; else only when it fails. */
  show?: boolean;
}

/** Runs a command in the project's root under a title. */
export async function step(
  title: string,
  command: string[],
  { environment = {}, show = false }: StepOptions = {},
): Promise<StepResult> {
  const started = performance.now();
  process.stdout.write(show ? `${title}\n` : `${title} … `);
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const parts: string[] = [];
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      const text = decoder.decode(bytes, { stream: true });
      parts.push(text);
      if (show) process.stdout.write(text);
    }
  };
  await Promise.all([collect(child.stdout), collect(child.stderr)]);
  const ok = (await child.exited) === 0;
  const seconds = (performance.now() - started) / 1000;
  const output = parts.join("");
  if (!show) process.stdout.write(`${ok ? "done" : "FAILED"}, ${seconds.toFixed(1)} s\n`);
  if (!ok && !show) process.stdout.write(`${output.trimEnd()}\n`);
  return { ok, output, seconds };
}

/** This Bun, whichever way it came here. */
export const bun = (...words: string[]): string[] => [process.execPath, ...words];

/** Installs exactly what bun.lock names. */
export const install = (): Promise<StepResult> => step("Installing packages", bun("install", "--frozen-lockfile"));

/** Builds dist/lectern. */
export const build = (): Promise<StepResult> => step("Building dist/lectern", bun("scripts/build.ts"));
