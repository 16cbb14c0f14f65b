/** Says that the documents do not answer, in the question's language, where nothing that was found is sure enough. No model is asked then. */
import type { Answer, Answerer, AnswerRequest } from "./types.ts";
import { nothingFoundIn } from "./nothing-found.ts";
import { joinNeighbours, withoutDuplicates } from "./passages.ts";
import { questionLanguage } from "./question-language.ts";

/** Passages listed beside an answer that says so: whoever asked may look for themselves. */
const LISTED = 8;

/** Passages that are looked at for one that answers: the floor was chosen by so many (`models/train/ranking`). */
const LOOKED_AT = 8;

/** The answerer, asked only where one of the best passages has at least the support that the request asks for. */
export function withFloor(answerer: Answerer): Answerer {
  return {
    model: answerer.model,
    passagesWanted: answerer.passagesWanted,
    answer: async (request) => (answers(request) ? answerer.answer(request) : nothingFound(request, answerer.model)),
    load: () => answerer.load(),
    problem: () => answerer.problem(),
    close: () => answerer.close(),
  };
}

/** That the documents do not answer. `model`: who would have answered. */
export function nothingFound({ question, passages, signal }: AnswerRequest, model: string): Answer {
  signal.throwIfAborted();
  return {
    model,
    given: joinNeighbours(passages, withoutDuplicates(passages.slice(0, LISTED))),
    usage: () => ({ promptTokens: 0, completionTokens: 0 }),
    text: (async function* () {
      yield nothingFoundIn(questionLanguage(question));
    })(),
  };
}

function answers({ passages, floor }: AnswerRequest): boolean {
  return passages.slice(0, LOOKED_AT).some(({ support }) => support >= floor);
}
