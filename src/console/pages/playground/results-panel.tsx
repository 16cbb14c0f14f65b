/** What a search found. */
import { Problem } from "../../parts/page.tsx";
import { formats, words } from "../../words/index.ts";
import { Passage } from "./passage.tsx";
import type { Search } from "./use-search.ts";

export function ResultsPanel({
  search: { results, seconds, error, isRunning },
  customer,
}: {
  search: Search;
  customer: string | null;
}) {
  const w = words.playground;
  return (
    <>
      <Problem error={error} />
      {results === null ? (
        error === null && <p class="soft hint-panel">{isRunning ? w.searching : w.resultsHint}</p>
      ) : (
        <>
          <p class="soft fine">{w.foundIn(results.length, formats.seconds(seconds))}</p>
          {results.length === 0 && <p class="soft">{w.nothing}</p>}
          <ol class={isRunning ? "results is-old" : "results"}>
            {results.map((result) => (
              <li key={`${result.metadata.fileId} ${result.metadata.chunkIndex}`} class="result">
                <Passage result={result} customer={customer} />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}
