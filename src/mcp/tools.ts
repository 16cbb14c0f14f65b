/** The tools of an assistant: what they are called, what they take, and what they answer. */
import { fieldLimits } from "../foundation/field-limits.ts";
import { fail } from "../foundation/errors.ts";
import { type ArgumentSchema, readArguments, type ToolArguments, type ToolSchema } from "./arguments.ts";
import type { AssistantDocuments } from "./documents.ts";
import { filesText, passagesText } from "./shown-text.ts";

/** Files that one answer lists. */
const MOST_FILES = 200;
/** Passages before and behind the one that is read, at most, and without a word about it. */
const MOST_NEIGHBOURS = 20;
const USUAL_NEIGHBOURS = 1;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whether it names a dataset where none is set. */
  readonly isOfDataset: boolean;
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required: readonly string[];
  run(documents: AssistantDocuments, given: ToolArguments): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly text: string;
  /** The same for programs. */
  readonly data: Readonly<Record<string, unknown>>;
}

const question: ArgumentSchema = { type: "string", description: "The question, in any language, in whole words." };

const search: Tool = {
  name: "search",
  title: "Search documents",
  description:
    "Finds the passages of the documents that answer a question best, by meaning and by words, across languages. Scores from 0 to 1: above 0.9 very likely the answer, below 0.7 only possibly. Read more around a passage with read_passage.",
  isOfDataset: true,
  properties: {
    question,
    limit: { type: "integer", description: "At most so many passages.", minimum: fieldLimits.limit.minimum },
  },
  required: ["question"],
  async run(documents, given) {
    const results = await documents.search(questionOf(documents, given));
    if (results.length > 0) return { text: passagesText(results), data: { results } };
    return { text: "Nothing in the documents matches.", data: { results } };
  },
};

const ask: Tool = {
  name: "ask",
  title: "Ask the documents",
  description:
    "Answers a question from the documents alone, with the passages that the answer is made from, numbered as it cites them. Says so where the documents do not answer it.",
  isOfDataset: true,
  properties: { question },
  required: ["question"],
  async run(documents, given) {
    const { answer, sources } = await documents.ask(questionOf(documents, given));
    const below = sources.length === 0 ? "" : `\n\nSources:\n\n${passagesText(sources)}`;
    return { text: answer + below, data: { answer, sources } };
  },
};

const listFiles: Tool = {
  name: "list_files",
  title: "List files",
  description: `Lists the files of the documents, newest first, at most ${MOST_FILES}: id, name, size and when they were stored.`,
  isOfDataset: true,
  properties: { name: { type: "string", description: "Only files of exactly this name." } },
  required: [],
  async run(documents, given) {
    const name = given.name === undefined ? null : String(given.name);
    const files = await firstOf(documents.files(datasetOf(documents, given), name), MOST_FILES + 1);
    const shown = files.slice(0, MOST_FILES).map(({ fileId, originalName, datasetId, size, created }) => ({
      fileId,
      originalName,
      datasetId,
      size,
      created,
    }));
    const more = files.length > shown.length ? `\nThere are more; name one to find it.` : "";
    return {
      text: shown.length === 0 ? "There are no such files." : filesText(shown) + more,
      data: { files: shown, isComplete: more === "" },
    };
  },
};

const readPassage: Tool = {
  name: "read_passage",
  title: "Read on around a passage",
  description:
    "A passage of a file with its neighbours, in the file's order: what stands before and behind what a search found.",
  isOfDataset: false,
  properties: {
    file: { type: "string", description: "The file's id, as a search or a list names it." },
    passage: { type: "integer", description: "The passage's number, from 0 on, as a search names it.", minimum: 0 },
    neighbours: {
      type: "integer",
      description: `How many passages before it and behind it; ${USUAL_NEIGHBOURS} without it.`,
      minimum: 0,
      maximum: MOST_NEIGHBOURS,
    },
  },
  required: ["file", "passage"],
  async run(documents, given) {
    const [passage, neighbours] = [Number(given.passage), Number(given.neighbours ?? USUAL_NEIGHBOURS)];
    const from = Math.max(0, passage - neighbours);
    const range = { from, limit: passage + neighbours - from + 1 };
    const { passages, total } = await documents.passages(String(given.file), range);
    if (passage >= total)
      throw fail("INVALID_REQUEST", {
        reason: `the file has ${total} passages, numbered from 0; there is no ${passage}.`,
      });
    return { text: `${passagesText(passages)}\n\n(of ${total} passages)`, data: { passages, total } };
  },
};

const listDatasets: Tool = {
  name: "list_datasets",
  title: "List datasets",
  description: "Lists the collections of documents there are: the other tools ask for the name of one.",
  isOfDataset: false,
  properties: {},
  required: [],
  async run(documents) {
    const datasets = await Array.fromAsync(documents.datasets());
    const lines = datasets.map(({ datasetId, files }) => `${datasetId}  ${files} ${files === 1 ? "file" : "files"}`);
    return { text: lines.length === 0 ? "There are no documents yet." : lines.join("\n"), data: { datasets } };
  },
};

/** Those that are of use: datasets are listed only where one has to be named. */
export function toolsFor({ datasetId }: Pick<AssistantDocuments, "datasetId">): readonly Tool[] {
  const tools = [search, ask, listFiles, readPassage];
  return datasetId === null ? [...tools, listDatasets] : tools;
}

export function schemaOf(tool: Tool, { datasetId }: Pick<AssistantDocuments, "datasetId">): ToolSchema {
  const isNamed = tool.isOfDataset && datasetId === null;
  const dataset: ArgumentSchema = { type: "string", description: "The dataset, as list_datasets names it." };
  return {
    type: "object",
    properties: { ...tool.properties, ...(isNamed && { dataset }) },
    required: [...tool.required, ...(isNamed ? ["dataset"] : [])],
    additionalProperties: false,
  };
}

/** Throws LecternError. */
export async function runTool(tool: Tool, documents: AssistantDocuments, given: unknown): Promise<ToolAnswer> {
  return tool.run(documents, readArguments(given, schemaOf(tool, documents)));
}

function datasetOf({ datasetId }: AssistantDocuments, { dataset }: ToolArguments): string {
  return datasetId ?? String(dataset);
}

function questionOf(documents: AssistantDocuments, given: ToolArguments) {
  const { limit } = given;
  return {
    datasetId: datasetOf(documents, given),
    question: String(given.question),
    ...(limit !== undefined && { limit: Number(limit) }),
  };
}

async function firstOf<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const first: Item[] = [];
  for await (const item of items) if (first.push(item) >= count) break;
  return first;
}
