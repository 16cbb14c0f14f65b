/** The ways in which a file on a disk goes bad, each done to one file while nobody has it open. */
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { Random } from "../random.ts";

export interface Target {
  readonly path: string;
  /** What stood there earlier, or another file's bytes; null where there is none. */
  readonly older: string | null;
  /** A file of the same data directory that is none of this one's business. */
  readonly stranger: string;
}

type Fault = (target: Target, random: Random) => void;

export const faults: Readonly<Record<string, Fault>> = {
  "bit flipped": ({ path }, random) =>
    change(path, (bytes) => {
      const at = random.below(bytes.length);
      bytes[at]! ^= 1 << random.below(8);
      return bytes;
    }),
  "range overwritten": ({ path }, random) =>
    change(path, (bytes) => {
      const start = random.below(bytes.length);
      bytes.set(random.bytes(Math.min(1 + random.below(4096), bytes.length - start)), start);
      return bytes;
    }),
  truncated: ({ path }, random) => change(path, (bytes) => bytes.subarray(0, random.below(bytes.length))),
  extended: ({ path }, random) => change(path, (bytes) => Buffer.concat([bytes, random.bytes(1 + random.below(5000))])),
  emptied: ({ path }) => change(path, () => new Uint8Array()),
  deleted: ({ path }) => rmSync(path),
  "a folder instead": ({ path }) => {
    rmSync(path);
    mkdirSync(path);
  },
  "an older version": ({ path, older }) => {
    copyFileSync(older!, `${path}.older`);
    renameSync(`${path}.older`, path);
  },
  "a link elsewhere": ({ path, stranger }) => {
    rmSync(path);
    symlinkSync(stranger, path);
  },
};

/** Faults that change what a file says and leave its form alone, as far as that can be told without a checksum. */
export const CONTENT_FAULTS: ReadonlySet<string> = new Set(["bit flipped", "range overwritten"]);

/** Whether the fault can be done to this file at all. */
export function applies(fault: string, { path, older, stranger }: Target): boolean {
  if (fault === "an older version") return older !== null && !readFileSync(older).equals(readFileSync(path));
  if (fault === "a link elsewhere") return path !== stranger;
  return ["deleted", "extended", "a folder instead"].includes(fault) || statSync(path).size > 0;
}

/** Into another file that takes its place: whoever shares the old one's blocks keeps them. */
function change(path: string, edit: (bytes: Buffer) => Uint8Array): void {
  const { mode } = statSync(path);
  writeFileSync(`${path}.bad`, edit(readFileSync(path)), { mode });
  renameSync(`${path}.bad`, path);
}
