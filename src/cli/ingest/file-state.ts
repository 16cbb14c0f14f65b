/** What tells a file of this machine from a later version of it, without reading it. */
import { stat } from "node:fs/promises";

export interface FileState {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** The same for as long as nobody seems to write to the file or put another in its place. */
  readonly mark: string;
}

/** Null for a file that is not there, or cannot be looked at: whoever reads it is told why. */
export const stateOf = (path: string): Promise<FileState | null> =>
  stat(path).then(
    ({ size, mtimeMs, ino }) => ({ size, modified: mtimeMs, mark: `${size} ${mtimeMs} ${ino}` }),
    () => null,
  );
