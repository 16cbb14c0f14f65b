/** Answers in the shapes of OpenAI's chat completions. Pure. */
import type { TokenUsage } from "../../answers/index.ts";
import { placeInWords, placeOf } from "../../foundation/place.ts";
import type { SearchResult } from "../../operations/retrieval.ts";

/** What all pieces of one answer say. */
export interface ChatAnswer {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** As the request named it. */
  readonly model: string;
}

/** A place in the answer that cites a source, and where that can be read. */
export interface Annotation {
  readonly type: "url_citation";
  readonly url_citation: {
    /** UTF-16 units, the end excluded. */
    readonly start_index: number;
    readonly end_index: number;
    readonly title: string;
    readonly url: string;
  };
}

const CITATION = /\[(\d+)\]/g;

/** One for each citation; `urls` by the sources' places in their list. */
export function annotationsOf(text: string, sources: readonly SearchResult[], urls: readonly string[]): Annotation[] {
  return [...text.matchAll(CITATION)].flatMap((found): Annotation[] => {
    const at = Number(found[1]) - 1;
    const source = sources[at];
    if (source === undefined) return [];
    const { metadata } = source;
    return [
      {
        type: "url_citation",
        url_citation: {
          start_index: found.index,
          end_index: found.index + found[0].length,
          title: placeInWords(String(metadata.originalName), placeOf(metadata)),
          url: urls[at]!,
        },
      },
    ];
  });
}

export const usageOf = ({ promptTokens, completionTokens }: TokenUsage) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

export const completion = (
  { id, created, model }: ChatAnswer,
  content: string,
  annotations: readonly Annotation[],
  usage: TokenUsage,
) => ({
  id,
  object: "chat.completion",
  created,
  model,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content, refusal: null, annotations },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: usageOf(usage),
});

/** One piece of a stream; `usage` where the request asked for it, null but in the last. */
export const chunk = (
  { id, created, model }: ChatAnswer,
  delta: Readonly<Record<string, unknown>> | null,
  finishReason: "stop" | null,
  usage: TokenUsage | null | undefined,
) => ({
  id,
  object: "chat.completion.chunk",
  created,
  model,
  choices: delta === null ? [] : [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  ...(usage !== undefined && { usage: usage && usageOf(usage) }),
});
