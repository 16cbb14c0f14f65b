/** `lectern mcp`: the assistant's door on standard input and output, for assistants that start it themselves. */
import { fail, LecternError } from "../foundation/errors.ts";
import { log } from "../foundation/log.ts";
import type { AssistantDocuments } from "../mcp/documents.ts";
import { chooseService } from "./choose-service.ts";
import { commonOptions, type Command } from "./command.ts";
import type { DocumentService } from "./document-service.ts";
import { customerFlag, requireDataset } from "./existing-dataset.ts";

export const mcpCommand: Command = {
  name: "mcp",
  summary: "Lets an assistant search and ask, by the Model Context Protocol on standard input and output.",
  usage: "[--dataset ID] [--customer ID]",
  positionals: { minimum: 0, maximum: 0 },
  flags: {
    dataset: { value: "ID", sentence: "The only dataset that the assistant sees; without it, it names one itself." },
    ...customerFlag,
  },
  options: [...commonOptions, "serverUrl", "apiKey", "serverAuthority", "model", "searchResults"],
  notes: ["It goes on until its standard input ends. Assistants on other machines use POST /mcp of the server."],
  async run({ config, flags }) {
    const datasetId = flags.dataset ?? null;
    if (datasetId === "") throw fail("USAGE", { reason: "--dataset is empty." });
    const service = await chooseService(config, flags.customer);
    try {
      if (datasetId !== null) await requireDataset(service, datasetId);
      const { serveAssistant } = await import("../mcp/serve-stdio.ts");
      await serveAssistant(documentsOf(service, datasetId), (error) => {
        if (error instanceof LecternError) return error.message;
        log.error("An assistant's request failed", { cause: error });
        return "Internal error";
      });
    } finally {
      await service.close();
    }
    return 0;
  },
};

function documentsOf(service: DocumentService, datasetId: string | null): AssistantDocuments {
  return {
    datasetId,
    search: (question) => service.search(question),
    async ask(question) {
      const { sources, words } = await service.query(question);
      return { sources, answer: (await Array.fromAsync(words)).join("") };
    },
    datasets: () => service.datasets(),
    files: (ofDataset, name) => service.files(ofDataset, name),
    async passages(fileId, range) {
      if (datasetId !== null && (await service.file(fileId)).datasetId !== datasetId) throw fail("FILE_NOT_FOUND");
      return service.passages(fileId, range);
    },
  };
}
