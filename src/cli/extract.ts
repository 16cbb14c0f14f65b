/** `lectern extract`: what Lectern reads in files, passage by passage, without storing anything. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Chunking, DocumentExtractor, ExtractedDocument, Passage } from "../documents/index.ts";
import { fail, LecternError } from "../foundation/errors.ts";
import { fieldDefaults } from "../foundation/field-limits.ts";
import { log } from "../foundation/log.ts";
import { placeInWords } from "../foundation/place.ts";
import { modelDirectoryOf } from "../options/config.ts";
import { commonOptions, type Command } from "./command.ts";
import { counted } from "./existing-dataset.ts";
import { prepareNative } from "./prepare-native.ts";
import { systemSentence } from "./system-error.ts";
import { bold, note, print, printJson, visible } from "./terminal.ts";

export const extractCommand: Command = {
  name: "extract",
  summary: "Shows what Lectern reads in files, passage by passage with its place. Stores nothing.",
  usage: "FILE…",
  positionals: { minimum: 1, maximum: Number.POSITIVE_INFINITY },
  flags: {
    "chunk-size": { value: "TOKENS", sentence: `Tokens of a passage; default ${fieldDefaults.chunkSize}.` },
    "chunk-overlap": {
      value: "TOKENS",
      sentence: `Tokens that neighbouring passages share; default ${fieldDefaults.chunkOverlap}.`,
    },
  },
  options: [
    ...commonOptions,
    "model",
    "extractSeconds",
    "extractMemoryMegabytes",
    "recogniseMemoryMegabytes",
    "speechLanguage",
    "speechModel",
    "ffmpeg",
    "ocrProgram",
    "extractMaxCharacters",
  ],
  forAnyUser: true,
  notes: ["With --json one object a file, each on a line of its own. Example: lectern extract report.pdf"],
  async run({ config, positionals, flags, json }) {
    await prepareNative(config);
    // Loaded here, so that other commands start without the engines' code.
    const [{ openExtractor }, { readManifest }, { readChunking }] = await Promise.all([
      import("../appliance/model-engines.ts"),
      import("../embedding/index.ts"),
      import("../operations/chunking.ts"),
    ]);
    const model = modelDirectoryOf(config);
    const chunking = readChunking(flags["chunk-size"], flags["chunk-overlap"], (await readManifest(model)).maxTokens);
    const extractor = openExtractor(config, model, log);
    let failures = 0;
    try {
      for (const path of positionals)
        await (json ? printRecord : printPassages)(extractor, path, chunking).catch((error: unknown) => {
          failures += 1;
          tell(path, error, json);
        });
    } finally {
      await extractor.close();
    }
    return failures === 0 ? 0 : 1;
  },
};

async function printRecord(extractor: DocumentExtractor, path: string, chunking: Chunking): Promise<void> {
  const chunks: Passage[] = [];
  const document = await read(extractor, path, chunking, (passages) => void chunks.push(...passages));
  printJson({ path, ...document, chunks });
}

async function printPassages(extractor: DocumentExtractor, path: string, chunking: Chunking): Promise<void> {
  let count = 0;
  const document = await read(extractor, path, chunking, (passages) => {
    for (const { text, place } of passages) {
      count += 1;
      print(`${bold(`${count}. ${visible(placeInWords(path, place))}`)}`);
      for (const line of visible(text).split("\n")) print(line === "" ? "" : `    ${line}`);
      print();
    }
  });
  print(`${visible(path)}: ${counted(count, "passage")}, read as ${document.loaderId} (${document.mimeType}).`);
  for (const [key, value] of Object.entries(document.properties)) print(`    ${key}: ${visible(String(value))}`);
  print();
}

async function read(
  extractor: DocumentExtractor,
  path: string,
  chunking: Chunking,
  take: (passages: readonly Passage[]) => void,
): Promise<ExtractedDocument> {
  const found = await stat(path);
  if (!found.isFile()) throw fail("OPERATION_FAILED", { reason: `${path} is not a file.` });
  return extractor.extract(
    // Of nobody's files is any refused because another could not be read.
    { customerId: path, size: found.size, path, originalName: basename(path), declaredMimeType: null, chunking },
    take,
  );
}

function tell(path: string, error: unknown, json: boolean): void {
  const sentence = error instanceof LecternError ? error.message : systemSentence(error);
  if (sentence === null) throw error;
  if (json)
    printJson({ path, error: error instanceof LecternError ? error.code : "OPERATION_FAILED", message: sentence });
  note(`lectern: ${visible(sentence)}`);
}
