/**
 * Why results stand where they stand: searches a question set for one question inside this process, by the source that lies here, and
 * prints what each kind of evidence gave each result.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openAppliance, type Appliance } from "../../src/appliance/index.ts";
import { loadConfig } from "../../src/options/config.ts";
import { startServer } from "../../src/http/server.ts";
import { Service } from "../../src/http/service.ts";
import { createLog } from "../../src/foundation/log.ts";
import { rankChunks } from "../../src/operations/ranking.ts";
import type { RankedCandidate } from "../../src/ranking/index.ts";
import { joinedSimilarity } from "../../src/ranking/joined-similarity.ts";
import { indexId } from "../../src/store/index.ts";
import { Client } from "../client.ts";
import { LIFTED } from "../server.ts";
import { DOCUMENTS, type Question, type QuestionSet } from "./question-set.ts";
import { UploadedSet } from "./uploaded-set.ts";

const CUSTOMER = "explained";
const SHOWN = 10;
/** Characters of each result's text. */
const SHOWN_TEXT = 90;
const COLUMNS = ["score", "value", "cosine", "overlap", "joined", "window", "pairs"] as const;

/** What is known of a result; of one that was not read neither `value`, `window` nor `pairs`. */
type Explained = Partial<RankedCandidate> & { readonly chunkId: number; readonly joined: number };

/** `model`: a model folder, or "default". Prints the results of the sets and datasets that ask this question, or of all when none does. */
export async function explain(question: string, sets: readonly QuestionSet[], model: string): Promise<void> {
  const isAsked = ({ questions }: QuestionSet): boolean => questions.some(({ text }) => text === question);
  for (const set of sets.some(isAsked) ? sets.filter(isAsked) : sets.filter(({ questions }) => questions.length > 0)) {
    const asked = set.questions.filter(({ text }) => text === question);
    const datasets = new Set((asked.length > 0 ? asked : set.questions).map(({ dataset }) => dataset));
    await within(set, model, async (appliance, uploaded) => {
      for (const dataset of datasets) {
        const own = asked.find((one) => one.dataset === dataset) ?? {
          language: "",
          text: question,
          right: [],
          passageLanguage: "",
          dataset,
          answers: [],
        };
        await printResults(set, appliance, uploaded, own);
      }
    });
  }
}

async function within(
  set: QuestionSet,
  model: string,
  work: (appliance: Appliance, uploaded: UploadedSet) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "lectern-bench-"));
  try {
    const config = loadConfig({
      flags: { "data-dir": directory, port: "0", ...(model !== "default" && { model: resolve(model) }) },
      environment: LIFTED,
    });
    const appliance = await openAppliance(config, createLog({ level: "warn", format: "text", write: console.error }));
    try {
      appliance.access.createCustomer(CUSTOMER, null);
      const server = startServer(new Service(appliance, config), config);
      try {
        const client = new Client({ url: server.url }, appliance.access.createApiKey(CUSTOMER, "explain").apiKey);
        await work(appliance, await UploadedSet.upload(set, client));
      } finally {
        await server.stop(5);
      }
    } finally {
      await appliance.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function printResults(
  set: QuestionSet,
  appliance: Appliance,
  uploaded: UploadedSet,
  question: Question,
): Promise<void> {
  const results = await gather(appliance, question);
  const chunks = appliance.store.chunks(results.map(({ chunkId }) => chunkId));
  console.log(
    `\n${set.name}${question.dataset === DOCUMENTS ? "" : `, dataset ${question.dataset}`}: ${question.text}`,
  );
  console.log(`  ${["", ...COLUMNS].map((name, at) => (at === 0 ? "    " : name.padStart(8))).join("")}`);
  results.forEach((result, at) => {
    const chunk = chunks.get(result.chunkId);
    if (chunk === undefined) return;
    const isRight = uploaded.isRight(question, chunk.file.originalName, chunk.text);
    const name = uploaded.nameOf(chunk.file.originalName);
    const figures = COLUMNS.map((column) =>
      (result[column] === undefined ? "-" : result[column].toFixed(3)).padStart(8),
    ).join("");
    console.log(
      `  ${String(at + 1).padStart(2)} ${isRight ? "✓" : " "}${figures}  ${name} ${chunk.chunkIndex}: ${chunk.text.replace(/\s+/g, " ").slice(0, SHOWN_TEXT)}`,
    );
  });
}

/** The best results with all that is known of them, best first. */
async function gather(appliance: Appliance, { text, dataset: name }: Question): Promise<Explained[]> {
  const dataset = appliance.store.dataset(CUSTOMER, name);
  if (dataset === null) return [];
  const datasetId = indexId(dataset.id, dataset.generation);
  return appliance.models.during(dataset.modelId, async (engines) => {
    const { embedder, search, hybrid } = engines;
    const { chunks } = await rankChunks(engines, appliance.secondStage, {
      datasetId,
      question: text,
      count: SHOWN,
      within: undefined,
    });
    const chunkIds = chunks.map(({ chunkId }) => chunkId);
    const question = await embedder.embedQuestion(text.toWellFormed());
    const evidence = new Map(
      (await search.evidence({ datasetId, question, chunkIds })).map((one) => [one.chunkId, one]),
    );
    const denseWeight = !hybrid ? 1 : embedder.manifest.search.denseWeight;
    return chunks.flatMap(({ chunkId, score, evidence: read }) => {
      const found = evidence.get(chunkId);
      if (!found) return [];
      return [
        { ...found, ...read, chunkId, score, joined: joinedSimilarity(found.cosine, found.overlap, denseWeight) },
      ];
    });
  });
}
