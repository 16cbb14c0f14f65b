/** `lectern query`: an answer from the documents, word by word as it comes, and below it the passages that it is made from. */
import { commonOptions, type Command } from "./command.ts";
import { chooseService } from "./choose-service.ts";
import { customerFlag, requireDataset } from "./existing-dataset.ts";
import { printPassage } from "./passages.ts";
import { filterFlags, readSearchFilters } from "./search-filters.ts";
import { print, printJson, visible } from "./terminal.ts";

export const queryCommand: Command = {
  name: "query",
  summary: "Answers a question from the documents, and shows the passages that the answer is made from.",
  usage: "QUESTION --dataset ID [--customer ID]",
  positionals: { minimum: 1, maximum: 1 },
  flags: {
    dataset: { value: "ID", sentence: "The dataset to answer from.", required: true },
    ...customerFlag,
    ...filterFlags,
    full: { value: null, sentence: "Prints whole passages, not only their beginning." },
  },
  options: [...commonOptions, "serverUrl", "apiKey", "serverAuthority", "model", "answerModel", "answerFloor"],
  notes: ['Example: lectern query "How often must the chain be oiled?" --dataset handbook'],
  async run({ config, positionals, flags, lists, json }) {
    const filters = readSearchFilters(lists.filter ?? [], flags.filters);
    const service = await chooseService(config, flags.customer);
    try {
      const { sources, words, end } = await service.query({
        datasetId: flags.dataset!,
        question: positionals[0]!,
        ...(filters.length > 0 && { filters }),
      });
      if (sources.length === 0) await requireDataset(service, flags.dataset!);
      if (json) {
        const answer = (await Array.fromAsync(words)).join("");
        printJson({ answer, sources, ...end() });
        return 0;
      }
      for await (const text of words) process.stdout.write(visible(text));
      print("\n");
      sources.forEach((source, index) => printPassage(source, index + 1, flags.full !== undefined));
    } finally {
      await service.close();
    }
    return 0;
  },
};
