/** Languages of scans and pictures, each a file of Tesseract's. */
import { readdir, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  OCR_DETECTION,
  builtInOcrData,
  describeOcrLanguage,
  loadOcrLanguage,
  ocrCode,
  readOcrData,
} from "../../documents/index.ts";
import { fail } from "../../foundation/errors.ts";
import { copyFolderWhole, writeWhole } from "../whole-file.ts";
import type { Model, ModelKind, Report } from "./kind.ts";

const ENDING = ".traineddata";
const PACKED = ".traineddata.gz";
const BUILT_IN_LICENCE = "Apache-2.0";
/** Where the data's hash is recorded, beside it. */
const RECORD = "ocr.json";

export const ocr: ModelKind = {
  id: "ocr",
  purpose: "scans",
  builtIn: [...builtInOcrData.keys()],
  keepsName: true,

  async isOne(place) {
    return place.endsWith(ENDING) || place.endsWith(PACKED) || (await dataFile(place)) !== null;
  },

  async examine(_config, place) {
    const source = (await dataFile(place)) ?? place;
    const isFile = (await stat(source).catch(() => null))?.isFile() === true;
    if (!isFile) throw fail("OPERATION_FAILED", { reason: `There is no file ${source}.` });
    const code = basename(source).replace(/\.traineddata(\.gz)?$/, "");
    if (code === OCR_DETECTION)
      throw fail("USAGE", { reason: `"${code}" is no language: it tells how pages lie, and is built in.` });
    // Tesseract's names have three letters and more; one of two is a tag.
    if (!/^[A-Za-z]\w{2,39}$/.test(code)) {
      const known = ocrCode(code);
      const example = known === code.trim() ? `such as jpn${ENDING}` : `which is ${known}${ENDING}`;
      throw fail("USAGE", {
        reason: `"${code}" cannot be a language's name. Name the file as Tesseract does, ${example}.`,
      });
    }
    return { name: code, copyTo: (target) => copyLanguage(code, source, target) };
  },

  isInUse: () => true,

  async describe(_config, model) {
    const { code, file } = await dataOf(model);
    const { title } = describeOcrLanguage(code);
    const licence = model.directory === null ? BUILT_IN_LICENCE : "";
    return { bytes: Bun.file(file).size, licence, what: title, details: { title } };
  },

  async verify(_config, model) {
    const { code, file } = await dataOf(model);
    const bytes = await unpacked(file);
    const expected = model.directory === null ? null : await recordedHash(model.directory);
    if (expected !== null && expected !== hashOf(bytes))
      throw fail("OPERATION_FAILED", {
        reason: `${basename(file)} is damaged: its SHA-256 is ${hashOf(bytes)}, and when it was added it was ${expected}.`,
      });
    await tryLanguage(code, bytes);
  },

  async use({ name }) {
    throw fail("USAGE", {
      reason: `"${name}" is a language of scans and pictures, which is used wherever it is found. --ocr-languages chooses some.`,
    });
  },
};

/** Loads a language's data, and copies it as it is unpacked, with its hash. */
async function copyLanguage(code: string, source: string, target: string): Promise<Report> {
  const bytes = await unpacked(source);
  await tryLanguage(code, bytes);
  await copyFolderWhole(source, [], target, async (copy) => {
    await writeFile(join(copy, `${code}${ENDING}`), bytes, { mode: 0o600, flush: true });
    await writeWhole(join(copy, RECORD), `${JSON.stringify({ sha256: hashOf(bytes) })}\n`);
  });
  const { title } = describeOcrLanguage(code);
  return {
    record: { title, bytes: bytes.length },
    sentences: [`${title} is there: scans and pictures in it are read from now on.`],
  };
}

async function tryLanguage(code: string, bytes: Uint8Array): Promise<void> {
  await loadOcrLanguage(code, bytes).catch((cause: unknown) => {
    throw fail(
      "OPERATION_FAILED",
      { reason: `${code}${ENDING} cannot be loaded: it is damaged, or no data of Tesseract 4 or 5 (LSTM).` },
      undefined,
      cause,
    );
  });
}

/** Tesseract's name of a language, and where its data lies: inside the executable, or in a folder. */
async function dataOf({ name, directory }: Model): Promise<{ code: string; file: string }> {
  if (directory === null) return { code: name, file: builtInOcrData.get(name)! };
  const file = await dataFile(directory);
  if (file === null) throw fail("OPERATION_FAILED", { reason: `${directory} holds no file *${ENDING}.` });
  return { code: basename(file, ENDING), file };
}

/** The language's data in a folder; null: none. */
async function dataFile(folder: string): Promise<string | null> {
  const files = await readdir(folder).catch(() => []);
  const file = files.find((name) => name.endsWith(ENDING));
  return file === undefined ? null : join(folder, file);
}

function unpacked(path: string): Promise<Uint8Array> {
  return readOcrData(path).catch((cause: unknown) => {
    throw fail("OPERATION_FAILED", { reason: `${path} is damaged: it cannot be unpacked.` }, undefined, cause);
  });
}

async function recordedHash(folder: string): Promise<string | null> {
  const record: unknown = await Bun.file(join(folder, RECORD))
    .json()
    .catch(() => null);
  const hash = (record as { sha256?: unknown } | null)?.sha256;
  return typeof hash === "string" ? hash : null;
}

const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
