/** A passage with what is known of it: how well it matches, where it stands, and why it was found. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/icons.tsx";
import { Problem } from "../../parts/page.tsx";
import { useTask } from "../../parts/task.ts";
import { download } from "../../service/download.ts";
import type { Explanation, SearchResult } from "../../service/types.ts";
import { markedParts } from "../../text/marked-parts.ts";
import { placeInWords } from "../../text/place-in-words.ts";
import { scoreBand } from "../../text/score-band.ts";
import { formats, words } from "../../words/index.ts";

/** UTF-16 units from which on a passage that hardly matches is shown in part. */
const LONG = 400;

export interface PassageProps {
  readonly result: SearchResult;
  readonly customer: string | null;
  /** Before the name of its file. */
  readonly mark?: ComponentChildren;
}

export function Passage({ result, customer, mark }: PassageProps) {
  const { pageContent, highlights = [], metadata, alsoIn = [], explanation } = result;
  const { run, error } = useTask();
  const [isShort, setShort] = useState(scoreBand(result.score) === "weak" && pageContent.length > LONG);
  const w = words.playground;
  return (
    <>
      <header class="passage-head">
        <h3>
          {mark}
          <bdi class="file-name">{metadata.originalName}</bdi>
        </h3>
        <Score score={result.score} />
      </header>
      <Place metadata={metadata} />
      <p class={isShort ? "passage is-short" : "passage"} dir="auto">
        {markedParts(pageContent, highlights).map(({ text, isMarked }, at) =>
          isMarked ? <mark key={at}>{text}</mark> : text,
        )}
      </p>
      {alsoIn.length > 0 && <p class="soft fine">{w.alsoIn(alsoIn.map(({ originalName }) => originalName))}</p>}
      <div class="passage-foot">
        {isShort && (
          <button type="button" class="button small" onClick={() => setShort(false)}>
            {w.showAll}
          </button>
        )}
        <button
          type="button"
          class="button small"
          aria-label={words.files.downloadNamed(metadata.originalName)}
          onClick={() => void run(() => download(metadata.fileId, customer))}
        >
          <Icon name="download" />
          {w.download}
        </button>
        {explanation && <Why explanation={explanation} score={result.score} />}
      </div>
      <Problem error={error} />
    </>
  );
}

function Place({ metadata }: { metadata: SearchResult["metadata"] }) {
  const parts = placeInWords(metadata);
  if (parts.length === 0) return null;
  return (
    <ul class="facts place">
      {parts.map((part) => (
        <li key={part}>
          <bdi>{part}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Score({ score }: { score: number }) {
  const band = scoreBand(score);
  return (
    <span class={`score is-${band}`} title={words.playground.scoreTitle(formats.number(score))}>
      <i aria-hidden="true" />
      {words.playground.bands[band]} <span class="score-number">{formats.number(score, 2)}</span>
    </span>
  );
}

function Why({ explanation, score }: { explanation: Explanation; score: number }) {
  const w = words.playground;
  const { meaning, words: byWords, matched, reading, pairs } = explanation;
  const evidence = [
    { name: w.meaning, share: meaning },
    { name: matched.length === 0 ? w.words : w.wordsMatched(matched), share: byWords },
    { name: w.reading, share: reading },
    { name: w.pairs, share: pairs },
    { name: w.scoreLabel, share: score },
  ];
  return (
    <details class="why">
      <summary>{w.why}</summary>
      <dl class="pairs">
        {evidence.map(({ name, share }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{share === null ? w.notRead : formats.percent(share)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
