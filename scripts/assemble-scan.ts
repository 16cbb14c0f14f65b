/** Assembles src/vectors/scan.wat to scan.wasm. Run it after a change of the .wat: `bun scripts/assemble-scan.ts`. */
import wabt from "wabt";

const folder = new URL("../src/vectors/", import.meta.url);

/** The WebAssembly binary of scan.wat. */
export async function assembleScan(): Promise<Uint8Array> {
  const source = await Bun.file(new URL("scan.wat", folder)).text();
  const module = (await wabt()).parseWat("scan.wat", source, { simd: true });
  return module.toBinary({}).buffer;
}

if (import.meta.main) await Bun.write(new URL("scan.wasm", folder), await assembleScan());
