/** Assembles the WebAssembly kernels (.wat) of the core to .wasm. Run it after a change of a .wat: `bun scripts/assemble.ts`. */
import wabt from "wabt";

/** Every kernel, by its path without extension. */
export const kernels = [
  "src/embedding/weighted-sum",
  "src/ranking/reading",
  "src/search/vectors/scan",
  "src/search/vectors/sieve",
] as const;

const at = (kernel: string, extension: string): URL => new URL(`../${kernel}.${extension}`, import.meta.url);

/** The WebAssembly binary of a kernel's .wat. */
export async function assemble(kernel: (typeof kernels)[number]): Promise<Uint8Array> {
  const source = await Bun.file(at(kernel, "wat")).text();
  return (await wabt()).parseWat(`${kernel}.wat`, source, { simd: true, threads: true }).toBinary({}).buffer;
}

if (import.meta.main) for (const kernel of kernels) await Bun.write(at(kernel, "wasm"), await assemble(kernel));
