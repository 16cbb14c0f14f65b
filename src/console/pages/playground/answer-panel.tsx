/** An answer while it is written, and the sources that it cites. */
import { useRef, useState } from "preact/hooks";
import { Problem } from "../../parts/page.tsx";
import { answerParts, citedSources } from "../../text/answer-parts.ts";
import { words } from "../../words/index.ts";
import { Passage } from "./passage.tsx";
import type { Answer } from "./use-answer.ts";

export function AnswerPanel({
  answer: { text, sources, model, error, isRunning, stop },
  customer,
}: {
  answer: Answer;
  customer: string | null;
}) {
  const [lit, setLit] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const w = words.playground;
  const parts = answerParts(text, sources.length);
  const cited = citedSources(parts);
  if (!isRunning && text === "" && error === null) return <p class="soft hint-panel">{w.answerHint}</p>;
  return (
    <>
      {(text !== "" || isRunning) && (
        <div class="answer">
          <p dir="auto">
            {parts.map((part, at) =>
              part.kind === "text" ? (
                part.text
              ) : (
                <button
                  key={at}
                  type="button"
                  class={lit === part.source ? "citation is-lit" : "citation"}
                  aria-label={w.source(part.source, sources[part.source - 1]!.metadata.originalName)}
                  onMouseEnter={() => setLit(part.source)}
                  onMouseLeave={() => setLit(null)}
                  onFocus={() => setLit(part.source)}
                  onBlur={() => setLit(null)}
                  onClick={() => {
                    const source = list.current?.children[part.source - 1];
                    if (source instanceof HTMLElement) source.focus();
                  }}
                >
                  {part.source}
                </button>
              ),
            )}
            {isRunning && <span class="caret" aria-hidden="true" />}
          </p>
          <div class="answer-foot">
            {isRunning ? (
              <>
                <span class="soft fine">{text === "" ? w.readingSources(sources.length) : w.writing}</span>
                <button type="button" class="button small" onClick={stop}>
                  {words.actions.stop}
                </button>
              </>
            ) : (
              model !== null && <span class="soft fine">{w.model(model)}</span>
            )}
          </div>
        </div>
      )}
      <Problem error={error} />
      {sources.length > 0 && (
        <>
          <h3 class="sources-title">{w.sources}</h3>
          <ol ref={list} class="results sources">
            {sources.map((source, at) => {
              const number = at + 1;
              const state = lit === number ? " is-lit" : cited.has(number) ? " is-cited" : "";
              return (
                <li
                  key={`${source.metadata.fileId} ${source.metadata.chunkIndex}`}
                  class={`result${state}`}
                  tabIndex={-1}
                >
                  <Passage
                    result={source}
                    customer={customer}
                    mark={
                      <span class="source-number">
                        {number}
                        {cited.has(number) && <span class="unseen"> {w.cited}</span>}
                      </span>
                    }
                  />
                </li>
              );
            })}
          </ol>
        </>
      )}
    </>
  );
}
