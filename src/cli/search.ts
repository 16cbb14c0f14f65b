/** `lectern search`: the best passages for a question, readable in a terminal. */
import { fail } from "../foundation/errors.ts";
import { commonOptions, type Command } from "./command.ts";
import { chooseService } from "./choose-service.ts";
import type { FoundPassage } from "./document-service.ts";
import { customerFlag, requireDataset } from "./existing-dataset.ts";
import { printPassage } from "./passages.ts";
import { filterFlags, readSearchFilters } from "./search-filters.ts";
import { print, printJson } from "./terminal.ts";

export const searchCommand: Command = {
  name: "search",
  summary: "Finds the passages that answer a question best.",
  usage: "QUESTION --dataset ID [--customer ID]",
  positionals: { minimum: 1, maximum: 1 },
  flags: {
    dataset: { value: "ID", sentence: "The dataset to search.", required: true },
    ...customerFlag,
    ...filterFlags,
    limit: { value: "N", sentence: "At most so many results." },
    "min-score": { value: "SCORE", sentence: "Only results that score as much, 0-1." },
    full: { value: null, sentence: "Prints whole passages, not only their beginning." },
  },
  options: [...commonOptions, "serverUrl", "apiKey", "serverAuthority", "model", "searchResults"],
  notes: ['Example: lectern search "How often must the chain be oiled?" --dataset handbook'],
  async run({ config, positionals, flags, lists, json }) {
    const filters = readSearchFilters(lists.filter ?? [], flags.filters);
    const [limit, minScore] = [numberOf(flags, "limit"), numberOf(flags, "min-score")];
    const service = await chooseService(config, flags.customer);
    let passages: FoundPassage[];
    try {
      passages = await service.search({
        datasetId: flags.dataset!,
        question: positionals[0]!,
        ...(filters.length > 0 && { filters }),
        ...(limit !== undefined && { limit }),
        ...(minScore !== undefined && { minScore }),
        ...(!json && { highlights: true }),
      });
      if (passages.length === 0) await requireDataset(service, flags.dataset!);
    } finally {
      await service.close();
    }
    if (json) printJson(passages);
    else if (passages.length === 0) print("Nothing found.");
    else passages.forEach((passage, index) => printPassage(passage, index + 1, flags.full !== undefined));
    return 0;
  },
};

/** A number given by a flag; the server says whether it is one that it takes. Throws USAGE. */
function numberOf(flags: Readonly<Record<string, string | undefined>>, name: string): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number))
    throw fail("USAGE", { reason: `--${name} must be a number, and is ${JSON.stringify(text)}.` });
  return number;
}
