/**
 * POST /mcp: the assistant's door, by the Model Context Protocol's streamable HTTP without sessions: each request is answered by itself, as
 * JSON. Credentials, limits and prices are those of the interface.
 */
import { Elysia } from "elysia";
import type { Caller } from "../../access/index.ts";
import { LecternError } from "../../foundation/errors.ts";
import type { AssistantDocuments, Question } from "../../mcp/documents.ts";
import { chooseDataset } from "../../operations/dataset-choice.ts";
import { everyDataset } from "../../operations/datasets.ts";
import { listFiles } from "../../operations/list.ts";
import { readPassages } from "../../operations/passages.ts";
import { query, readWhole } from "../../operations/query.ts";
import { readRetrievalRequest } from "../../operations/retrieval-request.ts";
import type { RetrievalRequest } from "../../operations/retrieval.ts";
import { search } from "../../operations/search.ts";
import { followConnection } from "../connection.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";

const PATH = "/mcp";

export function mcpRoutes(service: Service) {
  return new Elysia().post(
    PATH,
    endpoint(
      service,
      { route: `POST ${PATH}`, credential: "any", needs: "read", body: "json", bucket: "free" },
      async (exchange, caller) => {
        // The SDK is loaded by those who use it.
        const { answerAssistant } = await import("../../mcp/answer-request.ts");
        const { request, body, requestId } = exchange;
        service.allowIdle(request, 0);
        const response = await answerAssistant(request, body, documentsOf(exchange, caller), (error) => {
          if (error instanceof LecternError && error.status !== 500) return error.message;
          service.log.error("An assistant's request failed", { requestId, cause: error });
          return "Internal error";
        });
        const type = response.headers.get("content-type");
        const headers = { ...exchange.headers, ...(type !== null && { "content-type": type }) };
        return new Response(response.body, { status: response.status, headers });
      },
    ),
    unparsed,
  );
}

/** What the caller may see: `?dataset=` sets one for all that is asked at this address. */
function documentsOf(exchange: Exchange, caller: Caller): AssistantDocuments {
  const { service, request } = exchange;
  const { engines } = service;
  const parameters = queryOf(request);
  exchange.checkNames(parameters.keys(), ["dataset"]);
  const named = parameters.get("dataset");
  const codes = { missing: "DATASET_ID_REQUIRED", mismatch: "DATASET_MISMATCH" } as const;
  const datasetId = caller.datasetId === null && !named ? null : chooseDataset(caller, named, codes);
  const retrieval = (question: Question): RetrievalRequest => {
    exchange.take(caller, "retrieval", 1);
    const { maxQuestionCharacters } = service.options;
    const rules = { maxQuestionCharacters, searchResults: engines.searchResults, mismatch: codes.mismatch };
    return readRetrievalRequest(caller, { ...question }, rules);
  };
  return {
    datasetId,
    search: async (question) => search(engines, retrieval(question)),
    async ask(question) {
      const gone = followConnection(service, request);
      const { sources, answer } = await query(engines, retrieval(question), gone.signal);
      return { answer: await readWhole(engines, caller.customerId, answer.text), sources };
    },
    datasets: () => everyDataset(engines, caller),
    async *files(ofDataset, name) {
      const selection = { limit: null, cursor: null, name, externalId: null };
      for (const page of listFiles(engines, caller.customerId, ofDataset, selection).pages)
        for (const { fileId, originalName, datasetName, size, created } of page)
          yield { fileId, originalName, datasetId: datasetName, size, created: new Date(created).toISOString() };
    },
    passages: async (fileId, range) => readPassages(engines, { ...caller, datasetId }, fileId, range),
  };
}
