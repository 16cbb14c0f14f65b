/** Opens the built-in table for reading: only what is looked at of it takes memory. */
import { join } from "node:path";
import { modelFolder } from "../embedding/index.ts";
import { openLexicon } from "../embedding/lexicon.ts";
import { mapFile } from "../native/map-file.ts";
import { Reader } from "./reader.ts";
import { loadVocabulary } from "./vocabulary.ts";

/** `withLexicon`: not where its own texts are read, which it would know too well. Throws OPERATION_FAILED or an Error when the built-in model's files cannot be read. */
export async function openReader({ withLexicon } = { withLexicon: true }): Promise<Reader> {
  const folder = modelFolder(null);
  const lexicon = withLexicon ? await openLexicon() : null;
  return new Reader(loadVocabulary(folder), await mapFile(join(folder, "model.onnx.data")), lexicon);
}
