/** The ranking Worker: reads candidates' tokens from the database, and judges them. One per process. */
import { join } from "node:path";
import { modelFolder, readManifest } from "../embedding/index.ts";
import { takeShortTurns } from "../native/thread-priority.ts";
import { serveOpened, type Opened } from "../remote/serve.ts";
import { openTokenReader, type TokenReader } from "../store/index.ts";
import { tokensOf } from "../foundation/term-ids.ts";
import type { Candidate, Question, QuestionReading, RankedCandidate } from "./types.ts";
import { readingOf } from "./inputs.ts";
import { judge, judgePlainly } from "./network.ts";
import { openReader } from "./open-reader.ts";
import type { RankingMode, RankingTraits } from "./types.ts";
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
    await takeShortTurns();
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
    return judged.map(({ candidate, ...own }) => ({
      ...candidates[candidate]!,
      ...readingOf(inputs, candidate),
      ...own,
    }));
  }

  read(question: Question, texts: readonly Uint32Array[]): QuestionReading {
    return this.reader.read(question, texts.map(tokensOf));
  }

  traits(): RankingTraits {
    const { confidence, cosine } = this.weights;
    return { floor: confidence[this.mode].floor, typicalCosine: cosine };
  }

  close(): void {
    this.tokens.close();
  }
}

export type RankingThread = Opened<typeof Judge.open>;

serveOpened(Judge.open);
