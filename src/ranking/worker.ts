/** The ranking Worker: reads candidates' tokens from the database, and judges them. One per process. */
import { join } from "node:path";
import { FIRST_WORD } from "../embedding/lexical-terms.ts";
import { modelFolder, readManifest } from "../embedding/index.ts";
import { answerRequests } from "../indexing/requests.ts";
import { openTokenReader, type TokenReader } from "../store/index.ts";
import type { Candidate, Question, QuestionReading, RankedCandidate } from "./index.ts";
import { judge, judgePlainly } from "./network.ts";
import { openReader } from "./open-reader.ts";
import { readingOf } from "./inputs.ts";
import type { RankingMode, RankingRequest } from "./protocol.ts";
import type { Reader } from "./reader.ts";
import { readWeights, type RankingWeights } from "./weights.ts";

class Judge {
  private constructor(
    private readonly mode: RankingMode,
    private readonly tokens: TokenReader,
    private readonly reader: Reader,
    private readonly weights: RankingWeights,
  ) {}

  static async open(dataDirectory: string, mode: RankingMode): Promise<Judge> {
    const { search } = await readManifest(null);
    const weights = await readWeights(join(modelFolder(null), search.ranking!));
    return new Judge(mode, openTokenReader({ dataDirectory }), await openReader(), weights);
  }

  rank(question: Question, proposed: readonly Candidate[]): RankedCandidate[] | null {
    const found = this.tokens.tokens(proposed.map(({ chunkId }) => chunkId));
    if (found.includes(null) && !this.tokens.isWhole()) return null;
    const candidates = proposed.filter((_, at) => found[at] !== null);
    const tokens = found.filter((one) => one !== null);
    const inputs = this.reader.inputs(question, candidates, tokens);
    const judged = this.mode === "full" ? judge(this.weights, inputs) : judgePlainly(this.weights, inputs);
    return judged.map(({ candidate, value, score }) => ({ ...candidates[candidate]!, ...readingOf(inputs, candidate), value, score }));
  }

  read(question: Question, texts: readonly Uint32Array[]): QuestionReading {
    return this.reader.read(question, texts.map(tokensOf));
  }

  close(): void {
    this.tokens.close();
  }
}

/** Words are left out: they are made of the same text. */
function tokensOf(terms: Uint32Array): Uint32Array {
  const words = terms.findIndex((term) => term >= FIRST_WORD);
  return words < 0 ? terms : terms.subarray(0, words);
}

let opened: Judge | null = null;

answerRequests(async (request: RankingRequest) => {
  if (request.type === "open") {
    opened = await Judge.open(request.dataDirectory, request.mode);
    return null;
  }
  if (!opened) throw new Error("the ranking is not open");
  switch (request.type) {
    case "rank": return opened.rank(request.question, request.candidates);
    case "read": return opened.read(request.question, request.texts);
    case "close":
      opened.close();
      opened = null;
      return null;
  }
});
