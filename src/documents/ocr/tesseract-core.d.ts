/** tesseract.js-core comes without types. */
declare module "tesseract.js-core/tesseract-core-simd.js" {
  import type { Core, Instantiate } from "./core.ts";
  const start: (options: { instantiateWasm: Instantiate; print(): void; printErr(): void }) => Promise<Core>;
  export default start;
}
