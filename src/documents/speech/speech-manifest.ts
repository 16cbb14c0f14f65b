/** What the folder of a speech model says of it: `manifest.json`, checked, or written where a folder of Hugging Face's has none. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail } from "../../foundation/errors.ts";
import { languageTag } from "../language-tag.ts";

const FAMILIES = ["whisper", "moonshine"] as const;
export type SpeechFamily = (typeof FAMILIES)[number];

export interface SpeechManifest {
  readonly name: string;
  readonly family: SpeechFamily;
  readonly version: string;
  readonly licence: string;
  /** BCP 47 tags without regions. */
  readonly languages: readonly string[];
  /** SHA-256 in lower-case hex, by file name. */
  readonly files: Readonly<Record<string, string>>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MANIFEST = "manifest.json";
/** The folder within a folder where graphs lie before they are added. */
const GRAPHS = "onnx";
/** The files of each family that are needed, any one of those in a row, and the others that are taken along. */
const FILES: Readonly<Record<SpeechFamily, { needed: readonly (readonly string[])[]; others: readonly string[] }>> = {
  moonshine: {
    needed: [["encoder_model.onnx"], ["decoder_model_merged.onnx"], ["tokenizer.json"]],
    others: ["config.json"],
  },
  whisper: {
    needed: [
      ["encoder_model.onnx"],
      ["decoder_model_merged.onnx", "decoder_model.onnx"],
      ["tokenizer.json"],
      ["config.json"],
    ],
    others: ["decoder_with_past_model.onnx", "generation_config.json", "preprocessor_config.json"],
  },
};

/** Whether a folder says that it is a speech model, or looks like one of Hugging Face's. */
export async function isSpeechModel(folder: string): Promise<boolean> {
  const manifest = await readJson(join(folder, MANIFEST));
  if (manifest !== null) return FAMILIES.includes(manifest.family as SpeechFamily);
  const config = await readJson(join(folder, "config.json"));
  return FAMILIES.includes(config?.model_type as SpeechFamily);
}

/** Where a file of a folder lies: Hugging Face's keep graphs in one of their own. */
export function fileIn(folder: string, file: string): string {
  const inside = join(folder, file);
  return existsSync(inside) ? inside : join(folder, GRAPHS, file);
}

/** Throws OPERATION_FAILED with a sentence that names what is wrong. */
export async function readSpeechManifest(folder: string): Promise<SpeechManifest> {
  const path = join(folder, MANIFEST);
  const manifest = await readJson(path);
  const wrong = (reason: string): Error => fail("OPERATION_FAILED", { reason: `${path}: ${reason}` });
  if (manifest === null) throw wrong("it cannot be read");
  const { name, family, version = "1", licence = "not told", languages, files } = manifest;
  if (typeof name !== "string" || !NAME.test(name))
    throw wrong('"name" should be 1-64 letters, digits, dots or hyphens.');
  if (!FAMILIES.includes(family as SpeechFamily)) throw wrong(`"family" should be one of ${FAMILIES.join(", ")}.`);
  if (
    !Array.isArray(languages) ||
    languages.length === 0 ||
    !languages.every((one) => languageTag(String(one)) !== undefined)
  )
    throw wrong('"languages" should be an array of tags such as "en".');
  if (typeof files !== "object" || files === null)
    throw wrong('"files" should be an object of file names and SHA-256.');
  for (const [file, hash] of Object.entries(files))
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(file) || !/^[0-9a-f]{64}$/.test(String(hash)))
      throw wrong(`"files.${file}" should be a plain file name with a SHA-256 in lower-case hex.`);
  const missing = FILES[family as SpeechFamily].needed.find((any) => !any.some((file) => Object.hasOwn(files, file)));
  if (missing !== undefined) throw wrong(`"files" should name ${missing.join(" or ")}.`);
  return {
    name,
    family: family as SpeechFamily,
    version: String(version),
    licence: String(licence),
    languages: languages.map((one) => String(one).split("-")[0]!.toLowerCase()),
    files: files as Record<string, string>,
  };
}

/** The manifest of a folder that has none. Throws OPERATION_FAILED, naming a file that is missing. */
export async function describeFolder(folder: string): Promise<SpeechManifest> {
  const config = (await readJson(join(folder, "config.json"))) ?? {};
  const family = config.model_type as SpeechFamily;
  const { needed, others } = FILES[family];
  const missing = needed.find((any) => !any.some((file) => existsSync(fileIn(folder, file))));
  if (missing !== undefined)
    throw fail("OPERATION_FAILED", {
      reason: `${folder} looks like a model of the family ${family}, and has no ${missing.join(" or ")}.`,
    });
  const graphs = await readdir(join(folder, GRAPHS)).catch(() => []);
  const present = [...new Set([...(await readdir(folder)), ...graphs])].filter(
    (file) => [...needed.flat(), ...others].includes(file) || /\.onnx_data$/.test(file),
  );
  const files: Record<string, string> = {};
  for (const file of present.toSorted()) files[file] = await sha256(fileIn(folder, file));
  return {
    name:
      basename(folder)
        .replace(/[^A-Za-z0-9._-]/g, "-")
        .replace(/^[^A-Za-z0-9]+/, "") || family,
    family,
    version: "1",
    licence: "not told",
    languages: await languagesOf(folder, family),
    files,
  };
}

/** Whisper's generation settings name the token of each language. */
async function languagesOf(folder: string, family: SpeechFamily): Promise<string[]> {
  const generation = family === "whisper" ? await readJson(join(folder, "generation_config.json")) : null;
  const tokens = (generation?.lang_to_id ?? {}) as Record<string, number>;
  const tags = Object.keys(tokens).flatMap((token) => /^<\|([a-z]{2,3})\|>$/.exec(token)?.[1] ?? []);
  return tags.length > 0 ? tags : ["en"];
}

async function sha256(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const piece of Bun.file(path).stream()) hash.update(piece);
  return hash.digest("hex");
}

async function readJson(path: string): Promise<Record<string, unknown> | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
