/** `import path from "./x.wasm" with { type: "file" }` gives the file's path, from source and inside the executable. */
declare module "*.wasm" {
  const path: string;
  export default path;
}
