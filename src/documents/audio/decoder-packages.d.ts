/** The files of packages that are imported one by one: their indexes bring code along that is not wanted. */
declare module "*/WASMAudioDecoderCommon.js" {
  const WASMAudioDecoderCommon: new () => unknown;
  export default WASMAudioDecoderCommon;
}
declare module "*/EmscriptenWasm.js" {
  const EmscriptenWasm: unknown;
  export default EmscriptenWasm;
}
