/** The decoders of Opus and Vorbis in WebAssembly: libopus, libvorbis and libogg (BSD), each as its package's `src/EmscriptenWasm.js` holds it. */
import WASMAudioDecoderCommon from "../../../node_modules/@wasm-audio-decoders/common/src/WASMAudioDecoderCommon.js";

/** What every one of them offers; sizes and addresses are in bytes of its memory, which never grows. */
export interface DecoderModule {
  readonly HEAP: ArrayBuffer;
  readonly ready: Promise<unknown>;
  malloc(bytes: number): number;
  free(address: number): void;
}

export type ModuleClass = new (common: unknown) => { instantiate(): unknown };

/** A new memory with the decoder's code. */
export async function instantiate<Module extends DecoderModule>(module: unknown): Promise<Module> {
  // Gives the class the means by which it unpacks its code.
  new WASMAudioDecoderCommon();
  const decoder = new (module as ModuleClass)(WASMAudioDecoderCommon).instantiate() as Module;
  await decoder.ready;
  return decoder;
}
