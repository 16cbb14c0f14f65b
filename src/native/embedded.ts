/**
 * What the executable carries inside itself. From source there is nothing: files are read where they lie. The build
 * (scripts/build.ts) puts a module of the same shape, with everything filled in, in this one's place.
 */

/** One file inside the executable. */
export interface EmbeddedFile {
  /** Where the executable's own file system shows it. */
  readonly path: string;
  /** Bytes of the file itself; what lies at `path` is its zstd frame. */
  readonly size: number;
  /** Of the file itself, hexadecimal. */
  readonly sha256: string;
}

/** Files that must lie on disk together before they can be used, in one folder named by their content. */
export interface EmbeddedGroup {
  /** First 32 hex digits of the SHA-256 over the files' names and contents. */
  readonly hash: string;
  readonly files: Readonly<Record<string, EmbeddedFile>>;
}

export interface Embedded {
  /** Project-relative path → path inside the executable, uncompressed. */
  readonly assets: Readonly<Record<string, string>>;
  readonly groups: Readonly<Record<string, EmbeddedGroup>>;
}

export const embedded: Embedded | null = null as Embedded | null;
