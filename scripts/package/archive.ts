/** Archives that are the same bytes for the same contents: tar as POSIX wrote it down (ustar), ar as Debian's packages use it, gzip without a time. */

/** A file, folder or link as it will lie on disk; owned by the superuser. */
export interface Entry {
  /** Relative, without "./" before it; folders end in "/". */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

const BLOCK = 512;
/** The longest path and the largest size that a ustar header holds without a split or another encoding. */
const LONGEST_PATH = 99;
const LARGEST_FILE = 8 ** 11 - 1;

/** A file of text, or of bytes that are there already. */
export const file = (path: string, content: string | Uint8Array, mode = 0o644): Entry => ({
  path,
  bytes: typeof content === "string" ? Buffer.from(content) : content,
  mode,
});

/** The folders that these entries lie in, themselves included, each once and before what is in it; 0755. */
export function withFolders(entries: readonly Entry[]): Entry[] {
  const folders = new Set<string>();
  for (const { path } of entries) {
    const parts = path.split("/").slice(0, -1);
    parts.forEach((_part, at) => folders.add(`${parts.slice(0, at + 1).join("/")}/`));
  }
  const all = [...[...folders].map((path) => ({ path, bytes: new Uint8Array(), mode: 0o755 })), ...entries];
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A tar archive. `seconds` is everything's time of change; `prefix` stands before every path. */
export function tar(entries: readonly Entry[], seconds: number, prefix = ""): Uint8Array {
  const blocks = entries.flatMap((entry) => {
    const padding = (BLOCK - (entry.bytes.length % BLOCK)) % BLOCK;
    return [tarHeader(prefix + entry.path, entry, seconds), entry.bytes, new Uint8Array(padding)];
  });
  return Buffer.concat([...blocks, new Uint8Array(2 * BLOCK)]);
}

function tarHeader(path: string, { bytes, mode }: Entry, seconds: number): Uint8Array {
  if (Buffer.byteLength(path) > LONGEST_PATH || bytes.length > LARGEST_FILE)
    throw new Error(`${path} is too long or too large for a tar archive of the plain kind`);
  const header = Buffer.alloc(BLOCK);
  const number = (value: number, at: number, length: number): void =>
    void header.write(value.toString(8).padStart(length - 1, "0"), at);
  header.write(path, 0);
  number(mode, 100, 8);
  number(0, 108, 8);
  number(0, 116, 8);
  number(bytes.length, 124, 12);
  number(seconds, 136, 12);
  header.fill(" ", 148, 156);
  header.write(path.endsWith("/") ? "5" : "0", 156);
  header.write("ustar\u000000", 257, "latin1");
  header.write("root", 265);
  header.write("root", 297);
  number(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  header[155] = 0x20;
  return header;
}

/** The header holds no time and no name. What holds the executable is taken less pains with: it is compressed inside already. */
export const gzip = (content: string | Uint8Array, level: 6 | 9 = 9): Uint8Array =>
  Bun.gzipSync(Buffer.from(content as Uint8Array), { level });

/** An ar archive of plain files, whose names are at most 15 letters long. */
export function ar(entries: readonly Entry[], seconds: number): Uint8Array {
  const parts = entries.flatMap(({ path, bytes, mode }) => [
    Buffer.from(
      `${path.padEnd(16)}${String(seconds).padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${(0o100000 | mode).toString(8).padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`,
    ),
    bytes,
    Buffer.from(bytes.length % 2 === 0 ? "" : "\n"),
  ]);
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
