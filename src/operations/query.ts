/** Query: question → an answer from the customer's own passages, for 0.1 credit. */
import type { Answer, AnswerRequest, FoundPassage } from "../answers/index.ts";
import { placeInWords } from "../foundation/place.ts";
import { plainSum } from "../ranking/index.ts";
import type { Engines } from "./engines.ts";
import { isClientGone, paidFor } from "./payment.ts";
import { PRICE_OF_QUERY } from "./prices.ts";
import {
  areStored,
  retrieve,
  toSearchResult,
  type Passage,
  type RetrievalRequest,
  type Retrieved,
  type SearchResult,
} from "./retrieval.ts";

export interface QueryAnswer {
  /** Exactly what the answer is made from, in the order of its citations: `[1]` is the first. */
  readonly sources: SearchResult[];
  readonly answer: Answer;
}

/** Deletions that may race with one query before it answers without sources. */
const ATTEMPTS = 3;

/**
 * Charges, retrieves, and resolves when it is settled what the answer is made from, all of it stored at that moment. Throws as
 * `search` does, and what the answering engine throws; when reading the answer fails later, the caller gives the charge back with
 * `refundQuery`. Whoever goes away (`signal`) pays.
 */
export function query(engines: Engines, request: RetrievalRequest, signal: AbortSignal): Promise<QueryAnswer> {
  const { question } = request;
  return paidFor(
    engines.access,
    { customerId: request.customerId, thousandths: PRICE_OF_QUERY, operation: "query" },
    async () => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        // Sources are not whole chunks: where words stand in them is looked for when they are known.
        const found = { ...request, highlights: false, explain: false };
        const retrieved = await retrieve(engines, found, engines.answerer.passagesWanted);
        const { passages } = retrieved;
        const discarded = new AbortController();
        const answer = await engines.answerer.answer({
          question,
          ...toBeAnsweredFrom(engines, retrieved),
          signal: AbortSignal.any([signal, discarded.signal]),
        });
        const highlights = await highlightsOf(engines, request, answer);
        const used = answer.given.flatMap(({ from }) => from.map((index) => passages[index]!));
        if (areStored(engines, used))
          return {
            sources: answer.given.map(({ text, from }, at) =>
              toSource(
                text,
                from.map((index) => passages[index]!),
                highlights?.[at] ?? null,
              ),
            ),
            answer,
          };
        discarded.abort();
      }
      return {
        sources: [],
        answer: await engines.answerer.answer({ question, passages: [], floor: 0, reader: null, signal }),
      };
    },
  );
}

/** Where the question's words stand in each of the texts that the answer is made from; null where nobody asked. */
async function highlightsOf(
  { models }: Engines,
  { question, highlights }: RetrievalRequest,
  { given }: Answer,
): Promise<Passage["highlights"][] | null> {
  if (!highlights) return null;
  const texts = given.map(({ text }) => text);
  return models.chosen.embedder.highlights(question.toWellFormed(), texts);
}

/** The answer's words joined, as they come from `words`. Throws what reading them throws, after a refund unless it was the client who went away. */
export async function readWhole(engines: Engines, customerId: string, words: AsyncIterable<string>): Promise<string> {
  try {
    return (await Array.fromAsync(words)).join("");
  } catch (error) {
    if (!isClientGone(error)) refundQuery(engines, customerId);
    throw error;
  }
}

/** Gives back what a query cost whose answer broke off on our side. */
export function refundQuery(engines: Engines, customerId: string): void {
  engines.access.refund(customerId, PRICE_OF_QUERY, "query");
}

function toBeAnsweredFrom(
  { answerFloor, secondStage }: Engines,
  { passages, question }: Retrieved,
): Omit<AnswerRequest, "question" | "signal"> {
  const ranking = passages.some(({ evidence }) => evidence !== null) ? (secondStage?.ranking ?? null) : null;
  return {
    passages: passages.map(toFoundPassage),
    // Scores of what was not read say too little to answer nothing by.
    floor: answerFloor ?? ranking?.floor ?? 0,
    reader: ranking !== null && question !== null ? { ranking, question } : null,
  };
}

function toFoundPassage({ chunk, score, support, evidence }: Passage): FoundPassage {
  return {
    text: chunk.text.slice(chunk.contextLength),
    source: placeInWords(chunk.file.originalName, chunk.place),
    document: chunk.file.fileId,
    position: chunk.chunkIndex,
    score,
    support,
    held: evidence && plainSum(evidence),
  };
}

/** The best of its parts, with the whole text and the place of the first. What is joined has no copies. */
function toSource(text: string, parts: readonly Passage[], highlights: Passage["highlights"]): SearchResult {
  const [best] = parts;
  const result = toSearchResult({ ...best!, highlights, copies: parts.length === 1 ? best!.copies : [] });
  const chunkIndex = Math.min(...parts.map(({ chunk }) => chunk.chunkIndex));
  return { ...result, pageContent: text, metadata: { ...result.metadata, chunkIndex } };
}
