/** `lectern search`: the best passages for a question, readable in a terminal. */
import { PLACE_KEYS, placeInWords, type PassagePlace } from "../foundation/place.ts";
import { commonOptions, type Command } from "./command.ts";
import { chooseService } from "./choose-service.ts";
import type { FoundPassage } from "./document-service.ts";
import { bold, columns, print, printJson, visible, wrap } from "./terminal.ts";

const EXCERPT_LINES = 6;

export const searchCommand: Command = {
  name: "search",
  summary: "Finds the passages that answer a question best.",
  usage: "QUESTION --dataset ID [--customer ID]",
  positionals: { minimum: 1, maximum: 1 },
  flags: {
    dataset: { value: "ID", sentence: "The dataset to search.", required: true },
    customer: {
      value: "ID",
      sentence: "Whose dataset; may be left out when there is only one customer, or one called default.",
    },
    filters: {
      value: "JSON",
      sentence: 'Filters as POST /v1/search takes them, e.g. [{"key":"year","match":{"value":2026}}].',
    },
    full: { value: null, sentence: "Prints whole passages, not only their beginning." },
  },
  options: [...commonOptions, "serverUrl", "apiKey", "model", "searchResults"],
  notes: ['Example: lectern search "How often must the chain be oiled?" --dataset handbook'],
  async run({ config, positionals, flags, json }) {
    const service = await chooseService(config, flags.customer);
    let passages: FoundPassage[];
    try {
      passages = await service.search({
        datasetId: flags.dataset!,
        question: positionals[0]!,
        filters: flags.filters ?? null,
      });
    } finally {
      await service.close();
    }
    if (json) printJson(passages);
    else if (passages.length === 0) print("Nothing found.");
    else passages.forEach((passage, index) => printPassage(passage, index + 1, flags.full !== undefined));
    return 0;
  },
};

function printPassage({ score, pageContent, metadata }: FoundPassage, rank: number, whole: boolean): void {
  const name = String(metadata.originalName);
  const place = placeInWords(name, placeOf(metadata)).slice(name.length);
  const shown = place || (typeof metadata.chunkIndex === "number" ? `, passage ${metadata.chunkIndex + 1}` : "");
  print(`${String(rank).padStart(2)}. ${score.toFixed(3)}  ${bold(visible(name))}${visible(shown)}`);
  const paragraphs = whole ? visible(pageContent).split(/\n\s*\n/) : [visible(pageContent)];
  const lines = paragraphs.flatMap((paragraph, index) => [
    ...(index > 0 ? [""] : []),
    ...wrap(paragraph, columns() - 4),
  ]);
  for (const line of whole ? lines : shorten(lines)) print(line === "" ? "" : `    ${line}`);
  print();
}

/** What of a result's metadata says where it stands; a file's own metadata may have put anything there. */
function placeOf(metadata: FoundPassage["metadata"]): PassagePlace {
  const texts: ReadonlySet<string> = new Set(["sheet", "chapter", "heading", "member"]);
  return Object.fromEntries(
    PLACE_KEYS.filter((key) => typeof metadata[key] === (texts.has(key) ? "string" : "number")).map((key) => [
      key,
      metadata[key],
    ]),
  );
}

function shorten(lines: readonly string[]): string[] {
  return lines.length <= EXCERPT_LINES
    ? [...lines]
    : [...lines.slice(0, EXCERPT_LINES - 1), `${lines[EXCERPT_LINES - 1]} …`];
}
