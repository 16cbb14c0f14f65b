/**
 * Archives as libarchive reads them, compiled to WebAssembly: what it does wrong with a hostile one stays within the memory of one instance,
 * which is made for each archive.
 */
import wasmPath from "libarchive-wasm/dist/libarchive.wasm" with { type: "file" };

/** A file in the archive, as long as no further one is asked for. */
export interface ArchivedFile {
  readonly name: string;
  readonly isFile: boolean;
  /** Its bytes in pieces, each valid until the next one is asked for. Throws LibarchiveRefusal where they are damaged or encrypted. */
  pieces(): Generator<Uint8Array>;
}

/** Why it cannot be read on, as the rest of a sentence about the file. */
export class LibarchiveRefusal extends Error {}

const PIECE_BYTES = 256 * 1024;
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;

/** Compiled once for all archives. */
let compiled: Promise<WebAssembly.Module> | undefined;

const compile = async (): Promise<WebAssembly.Module> => WebAssembly.compile(await Bun.file(wasmPath).bytes());

/** As Emscripten asks for an instance of its own. */
type InstantiateWasm = (imports: Bun.WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => void;

/** The files in order. Throws LibarchiveRefusal where the archive is damaged, encrypted, or packed in a way that is not known. */
export async function* archivedFiles(bytes: Uint8Array): AsyncGenerator<ArchivedFile> {
  const { libarchiveWasm } = await import("libarchive-wasm");
  const code = await (compiled ??= compile());
  const instantiateWasm: InstantiateWasm = (imports, receive) => receive(new WebAssembly.Instance(code, imports));
  const library = await libarchiveWasm({ instantiateWasm, printErr: () => undefined });
  const { module } = library;
  const input = allocated(module._malloc(bytes.length));
  module.HEAP8.set(bytes, input);
  const buffer = allocated(module._malloc(PIECE_BYTES));
  const archive = refusing(() => library.read_new_memory(input, bytes.length));

  function* pieces(): Generator<Uint8Array> {
    for (;;) {
      const length = refusing(() => library.read_data(archive, buffer, PIECE_BYTES));
      if (length === 0) return;
      // Its memory may have been moved since.
      yield new Uint8Array(module.HEAP8.buffer, buffer, length);
    }
  }

  for (;;) {
    const entry = refusing(() => library.read_next_entry(archive));
    const reason = entry === 0 ? refusing(() => library.error_string(archive)) : "";
    if (reason) throw refusal(reason);
    if (entry === 0) return;
    if (refusing(() => library.entry_is_encrypted(entry)) !== 0) throw refusal("encrypted");
    yield {
      name: refusing(() => library.entry_pathname(entry)) ?? "",
      isFile: (refusing(() => library.entry_filetype(entry)) & FILE_TYPE) === REGULAR_FILE,
      pieces,
    };
  }
}

/** What goes wrong inside ends in errors of many kinds, which WebAssembly throws too. */
function refusing<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw refusal((error as Error).message, error);
  }
}

function refusal(reason: string, cause?: unknown): LibarchiveRefusal {
  if (/encrypt|passphrase/i.test(reason)) return new LibarchiveRefusal("it is protected with a password", { cause });
  if (/unsupported|not supported|unavailable/i.test(reason))
    return new LibarchiveRefusal("it is packed in a way that is not read here; pack it again, as ZIP", { cause });
  return new LibarchiveRefusal("it is cut off or damaged", { cause: cause ?? reason });
}

function allocated(pointer: number): number {
  if (pointer === 0) throw new LibarchiveRefusal("it takes more memory than there is for it");
  return pointer;
}
