/**
 * Real text to measure with: one passage a line from `--text FILE`, or, without one, what Markdown the installed
 * packages and the samples hold, recombined sentence by sentence until there is enough of it.
 */
import { Glob } from "bun";
import { join } from "node:path";
import { root } from "../scripts/steps.ts";

export interface Passages {
  readonly passages: string[];
  /** For the report: figures on recombined text are kinder to an index than figures on prose. */
  readonly origin: string;
}

/** At least `count` passages of some four hundred characters, in a fixed order. */
export async function readPassages(count: number, file: string | null): Promise<Passages> {
  if (file !== null) {
    const passages = (await Bun.file(file).text()).split("\n").filter((line) => line.trim().length > 0);
    if (passages.length < count)
      throw new Error(`${file} holds ${passages.length} passages; ${count} are needed (one a line)`);
    return { passages: passages.slice(0, count), origin: `${count} passages of ${file}` };
  }
  const sentences: string[] = [];
  for (const pattern of ["samples/*.{md,txt}", "node_modules/**/*.md"]) {
    for (const path of [...new Glob(pattern).scanSync(root)].sort()) {
      const text = await Bun.file(join(root, path)).text();
      sentences.push(
        ...text
          .split(/(?<=[.!?。])\s+|\n\s*\n/)
          .map((sentence) => sentence.replace(/\s+/g, " ").trim())
          .filter((sentence) => sentence.length > 30 && sentence.length < 400),
      );
    }
  }
  let state = 88172645;
  const draw = (): string => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return sentences[(state >>> 0) % sentences.length]!;
  };
  const passages = Array.from({ length: count }, () => {
    let passage = draw();
    while (passage.length < 300) passage += ` ${draw()}`;
    return passage;
  });
  return { passages, origin: `${count} passages recombined from ${sentences.length} sentences of Markdown` };
}

/** `count` questions of up to eight words from the middle of passages spread over all of them. */
export function questionsFrom(passages: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const passage = passages[Math.floor((index * passages.length) / count)]!;
    const words = passage.split(" ");
    const start = Math.floor(words.length * 0.3);
    return words
      .slice(start, start + 8)
      .join(" ")
      .slice(0, 80);
  });
}
