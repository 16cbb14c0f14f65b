/** Reads the data sets that questions are made of: passages with their questions, and texts with their translations. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

export interface Passage {
  readonly text: string;
  readonly questions: readonly string[];
}

export interface Translated {
  readonly english: string;
  readonly translation: string;
}

/** Shorter rows are headings and captions that many texts share. */
const SHORTEST_ENGLISH = 26;

const lines = (file: string) => execFileSync("xz", ["-dc", file], { maxBuffer: 2 ** 30 }).toString("utf8").trimEnd().split("\n");

export class Corpus {
  readonly #folder: string;
  readonly #translations = new Map<string, Map<string, Translated[]>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** All passages of a set such as `questions/drcd`, in its order: consecutive ones are often of one article. */
  passages(name: string): Passage[] {
    const passages = lines(join(this.#folder, name + ".jsonl.xz")).map((line) => {
      const row = JSON.parse(line) as { passage: string; questions?: string[] };
      return { text: row.passage, questions: row.questions ?? [] };
    });
    return [...new Map(passages.map((passage) => [passage.text, passage])).values()];
  }

  /**
   * The rows of one language of a set such as `ntrex`, in its order, each English text once and untranslated rows left out.
   * `version` counts translations of one English text within a language, from 0: where a language has several, they say the same in other words.
   */
  translations(name: string, language: string, version = 0): Translated[] {
    const met = new Map<string, number>();
    return (this.#rows(name).get(language) ?? []).filter(({ english, translation }) => {
      const earlier = met.get(english) ?? 0;
      met.set(english, earlier + 1);
      return earlier === version && english.length >= SHORTEST_ENGLISH && english !== translation;
    });
  }

  #rows(name: string): Map<string, Translated[]> {
    const known = this.#translations.get(name);
    if (known) return known;
    const byLanguage = new Map<string, Translated[]>();
    for (const line of lines(join(this.#folder, name + ".tsv.xz"))) {
      const [language, english, translation, ...more] = line.split("\t");
      if (!language || !english || !translation || more.length > 0) continue;
      const rows = byLanguage.get(language) ?? [];
      if (rows.length === 0) byLanguage.set(language, rows);
      rows.push({ english, translation });
    }
    this.#translations.set(name, byLanguage);
    return byLanguage;
  }
}
