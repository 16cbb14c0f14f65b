/**
 * The order in which waiting files are read. Pure.
 *
 * The customer who lately used least goes first, in whole seconds, so that all who used little are equal; among those the file
 * that came first, where every megabyte counts as a few seconds' later arrival: short files overtake, and none waits for ever.
 */

/** How much later a megabyte makes a file: about what it takes to read. */
const MILLISECONDS_PER_MEGABYTE = 2000;

export interface QueuedFile {
  readonly customerId: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds. */
  readonly arrivedAt: number;
}

/** The file whose turn it is; undefined when there is none. `usedSeconds`: what a customer lately used. */
export function nextFile<File extends QueuedFile>(
  waiting: Iterable<File>,
  usedSeconds: (customerId: string) => number,
): File | undefined {
  let next: { file: File; used: number; due: number } | undefined;
  for (const file of waiting) {
    const used = Math.floor(usedSeconds(file.customerId));
    const due = file.arrivedAt + (file.size / 1e6) * MILLISECONDS_PER_MEGABYTE;
    if (next === undefined || used < next.used || (used === next.used && due < next.due)) next = { file, used, due };
  }
  return next?.file;
}
