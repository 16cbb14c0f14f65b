/**
 * A folder with a language model: GGUF files, one model whole or in numbered parts, and (where `lectern model add` put it
 * there) `answer-model.json` with their hashes.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail } from "../../foundation/errors.ts";
import { readGgufHead, type GgufHead } from "./gguf.ts";

export interface AnswerModel {
  /** The file that the model is loaded from: the only one, or the first part. */
  readonly path: string;
  /** Names of all its files in the folder. */
  readonly files: readonly string[];
  readonly head: GgufHead;
  /** Bytes of all files. */
  readonly bytes: number;
  /** Bytes of all weights. */
  readonly weightBytes: number;
  readonly parameters: number;
  /** What the model calls itself, else its file's name. */
  readonly title: string;
  /** E.g. "llama", "qwen2". */
  readonly architecture: string;
  /** Tokens that it was made to read at most; 0 when it does not say. */
  readonly contextLength: number;
  readonly hasChatTemplate: boolean;
  /** As its metadata name it, or "". */
  readonly licence: string;
  /** SHA-256 by file name, or null when nobody recorded them. */
  readonly hashes: Readonly<Record<string, string>> | null;
}

const RECORD = "answer-model.json";
const PART = /-(\d{5})-of-(\d{5})\.gguf$/;

/** Names of the GGUF files in a folder, the first part first; none when it holds no language model. */
export async function answerModelFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith(".gguf") && !name.startsWith(".")).sort();
}

/** Reads a model's folder, or one GGUF file. Throws OPERATION_FAILED with a sentence that names what is wrong. */
export async function readAnswerModel(place: string): Promise<AnswerModel> {
  const isFile = place.endsWith(".gguf");
  const folder = isFile ? join(place, "..") : place;
  const files = isFile ? await partsOf(folder, basename(place)) : await answerModelFiles(folder);
  const [first] = files;
  if (first === undefined) throw fail("OPERATION_FAILED", { reason: `${place} holds no .gguf file.` });
  checkParts(place, files);
  const heads = await Promise.all(files.map((file) => readGgufHead(join(folder, file))));
  const head = heads[0]!;
  const text = (key: string): string => String(head.metadata.get(key) ?? "");
  const architecture = text("general.architecture");
  if (architecture === "")
    throw fail("OPERATION_FAILED", { reason: `${join(folder, first)} does not say what kind of model it is.` });
  const sum = (count: (part: GgufHead) => number): number => heads.reduce((total, part) => total + count(part), 0);
  return {
    path: join(folder, first),
    files,
    head,
    bytes: sum((part) => part.fileBytes),
    weightBytes: sum((part) => part.weightBytes),
    parameters: sum((part) => part.parameters),
    title: text("general.name") || first.replace(/\.gguf$/, ""),
    architecture,
    contextLength: Number(head.metadata.get(`${architecture}.context_length`) ?? 0),
    hasChatTemplate: text("tokenizer.chat_template") !== "",
    licence: text("general.license"),
    hashes: isFile ? null : await readRecord(folder),
  };
}

/** Writes down the hashes of a model's files beside them. */
export async function writeAnswerRecord(folder: string, hashes: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(join(folder, RECORD), `${JSON.stringify({ files: hashes }, null, 2)}\n`, { mode: 0o600 });
}

async function readRecord(folder: string): Promise<Record<string, string> | null> {
  const text = await readFile(join(folder, RECORD), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const { files } = JSON.parse(text) as { files?: unknown };
    if (typeof files === "object" && files !== null && Object.values(files).every((hash) => typeof hash === "string"))
      return files as Record<string, string>;
  } catch {
    // Told below, as for any other shape.
  }
  throw fail("OPERATION_FAILED", { reason: `${join(folder, RECORD)} is damaged: add the model again.` });
}

/** The other parts of a model of which one part is named. */
async function partsOf(folder: string, file: string): Promise<string[]> {
  const part = PART.exec(file);
  if (part === null) return [file];
  const stem = file.slice(0, part.index);
  return (await answerModelFiles(folder)).filter((name) => name.startsWith(stem) && PART.exec(name)?.[2] === part[2]);
}

function checkParts(place: string, files: readonly string[]): void {
  if (files.length === 1 && !PART.test(files[0]!)) return;
  const parts = files.map((file) => PART.exec(file));
  const total = Number(parts[0]?.[2] ?? 0);
  const isWhole =
    files.length === total &&
    parts.every((part, index) => Number(part?.[1] ?? 0) === index + 1 && Number(part?.[2] ?? 0) === total);
  if (isWhole) return;
  const reason =
    total > 0
      ? `holds ${files.length} of the ${total} parts of its model`
      : `holds ${files.length} models, and a folder is one model`;
  throw fail("OPERATION_FAILED", { reason: `${place} ${reason}: ${files.join(", ")}.` });
}
