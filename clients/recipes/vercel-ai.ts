/**
 * Lectern as a tool of the Vercel AI SDK (ai 5 or newer): the model decides when to search.
 *
 *     const lectern = new Lectern({ url: "http://127.0.0.1:8080", key: process.env.LECTERN_KEY! });
 *     const tools = { searchHandbook: searchTool(lectern, "handbook", "The company's handbook: holidays, travel, machines.") };
 *     const { text } = await generateText({ model, tools, stopWhen: stepCountIs(4), prompt: "How many days of holiday have I got?" });
 */
import { tool } from "ai";
import type { Lectern } from "lectern-client";
import { z } from "zod";

/** `contents`: what is in the dataset, in words by which a model decides whether to look there. */
export function searchTool(lectern: Lectern, datasetId: string, contents: string) {
  return tool({
    description: `Searches documents and returns the passages nearest to a question, best first, each with its source. ${contents}`,
    inputSchema: z.object({
      question: z.string().describe("What to look for, as a whole question, in any language."),
    }),
    async execute({ question }, { abortSignal }) {
      const results = await lectern.search({ datasetId, question }, { signal: abortSignal });
      return results.map(({ score, pageContent, metadata }) => ({
        score,
        text: pageContent,
        source: metadata.originalName,
        page: metadata.page,
        heading: metadata.heading,
      }));
    },
  });
}
