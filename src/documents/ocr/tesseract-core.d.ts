/** tesseract.js-core comes without types. */
declare module "tesseract.js-core/tesseract-core-simd.js" {
  import type { Core } from "./core.ts";
  const start: (options: { wasmBinary: Uint8Array; print(): void; printErr(): void }) => Promise<Core>;
  export default start;
}
