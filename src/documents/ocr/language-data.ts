/** Where the data of languages lies: a few inside the program, others in the folder of models that were added. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import deu from "@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz" with { type: "file" };
import eng from "@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz" with { type: "file" };
import fra from "@tesseract.js-data/fra/4.0.0_best_int/fra.traineddata.gz" with { type: "file" };
import osd from "@tesseract.js-data/osd/4.0.0_best_int/osd.traineddata.gz" with { type: "file" };
import spa from "@tesseract.js-data/spa/4.0.0_best_int/spa.traineddata.gz" with { type: "file" };

/** What is no language: the data by which orientation and script are detected. */
export const DETECTION = "osd";

export const TRAINED_DATA = ".traineddata";

const builtIn: Readonly<Record<string, string>> = { eng, deu, fra, spa, [DETECTION]: osd };

/** The paths of the languages inside the program, by Tesseract's names of them. */
export const builtInData: ReadonlyMap<string, string> = new Map(
  Object.entries(builtIn).filter(([code]) => code !== DETECTION),
);

export const builtInLanguages: readonly string[] = [...builtInData.keys()];

/** The paths of languages' data, by Tesseract's names of them: those built in first. One that was added takes the place of its like. */
export async function languagesAtHand(modelsDirectory: string | null): Promise<ReadonlyMap<string, string>> {
  const paths = new Map(Object.entries(builtIn));
  if (modelsDirectory === null) return paths;
  const folders = await readdir(modelsDirectory, { withFileTypes: true }).catch(() => []);
  for (const { name } of folders.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))) {
    const folder = join(modelsDirectory, name);
    const files = await readdir(folder).catch(() => []);
    for (const file of files.filter((file) => file.endsWith(TRAINED_DATA)))
      paths.set(file.slice(0, -TRAINED_DATA.length), join(folder, file));
  }
  return paths;
}

/** The data as Tesseract reads it. */
export async function readLanguageData(path: string): Promise<Uint8Array> {
  const bytes = await Bun.file(path).bytes();
  return path.endsWith(".gz") ? Bun.gunzipSync(bytes as Uint8Array<ArrayBuffer>) : bytes;
}
