/** The tokens of a `tokenizer.json`, as Hugging Face's programs write it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface TokenizerFile {
  readonly model?: { readonly vocab?: Record<string, number> | ReadonlyArray<readonly [string, number]> };
  readonly added_tokens?: ReadonlyArray<{ readonly id: number; readonly content: string }>;
}

/** Each token's own text, by its number. Throws an Error that says what is missing. */
export async function piecesOf(folder: string): Promise<string[]> {
  const { model, added_tokens: added = [] } = JSON.parse(
    await readFile(join(folder, "tokenizer.json"), "utf8"),
  ) as TokenizerFile;
  if (model?.vocab === undefined) throw new Error(`${join(folder, "tokenizer.json")} holds no vocabulary`);
  const pieces: string[] = [];
  if (Array.isArray(model.vocab)) for (const [index, [piece]] of model.vocab.entries()) pieces[index] = piece;
  else for (const [piece, id] of Object.entries(model.vocab as Record<string, number>)) pieces[id] = piece;
  for (const { id, content } of added) pieces[id] = content;
  return pieces;
}
