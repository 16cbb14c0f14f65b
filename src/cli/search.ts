/** `lectern search`: the best passages for a question, readable in a terminal. */
import { commonOptions, type Command } from "./command.ts";
import { chooseService } from "./choose-service.ts";
import type { FoundPassage } from "./document-service.ts";
import { requireDataset } from "./existing-dataset.ts";
import { printPassage } from "./passages.ts";
import { print, printJson } from "./terminal.ts";

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
