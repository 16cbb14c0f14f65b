/** Where questions are tried: passages on one side, an answer on the other, and how a program asks the same. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { CodeSample } from "../../parts/code-sample.tsx";
import { Check, Choice } from "../../parts/field.tsx";
import { Icon } from "../../parts/icons.tsx";
import { goTo, Link } from "../../parts/links.tsx";
import { Empty, Page, Shown } from "../../parts/page.tsx";
import { useLoaded } from "../../service/load.ts";
import type { Account, DatasetPage } from "../../service/types.ts";
import { ofCustomer, type Workspace } from "../../service/workspace.ts";
import { queryWith } from "../../text/address.ts";
import { filtersOf, type TypedFilter } from "../../text/filter-value.ts";
import { words } from "../../words/index.ts";
import { AnswerPanel } from "./answer-panel.tsx";
import { Filters } from "./filters.tsx";
import { ResultsPanel } from "./results-panel.tsx";
import { useAnswer } from "./use-answer.ts";
import { useSearch } from "./use-search.ts";

/** Datasets that are offered by name. */
const MOST_DATASETS = 1000;
/** Milliseconds without a key before a question counts as typed. */
const PAUSE = 400;
const LEAST_TYPED = 3;
/** Where the answer begins at the latest to be seen, as a share of the window's height. */
const ANSWER_SEEN = 0.8;
const LIMITS = ["", "3", "5", "10"] as const;
const SCORES = ["", "0.7", "0.8", "0.9"] as const;

export interface PlaygroundProps {
  readonly workspace: Workspace;
  /** As the address names it. */
  readonly datasetId: string | null;
}

export function PlaygroundPage({ workspace, datasetId }: PlaygroundProps) {
  const { acting, base } = workspace;
  const datasets = useLoaded<DatasetPage>(`/v1/datasets${queryWith({ limit: MOST_DATASETS })}`, { customer: acting });
  const account = useLoaded<Account>(`/console/account${queryWith(ofCustomer(workspace))}`);
  const w = words.playground;
  return (
    <Page title={words.titles.playground} lead={w.lead}>
      <Shown of={datasets}>
        {({ data }) => {
          const names = data.map((dataset) => dataset.datasetId);
          const present = datasetId ?? names[0] ?? null;
          if (present === null)
            return (
              <Empty
                icon="search"
                title={w.emptyTitle}
                action={
                  <Link to={[...base, "datasets"]} className="button primary">
                    {w.emptyAction}
                  </Link>
                }
              >
                {w.empty}
              </Empty>
            );
          return (
            <Playground
              key={present}
              workspace={workspace}
              datasetId={present}
              datasets={names.includes(present) ? names : [present, ...names]}
              prices={account.value?.prices ?? null}
            />
          );
        }}
      </Shown>
    </Page>
  );
}

interface Props {
  readonly workspace: Workspace;
  readonly datasetId: string;
  readonly datasets: readonly string[];
  readonly prices: Account["prices"] | null;
}

function Playground({ workspace: { acting, base }, datasetId, datasets, prices }: Props) {
  const [question, setQuestion] = useState("");
  const [filters, setFilters] = useState<readonly TypedFilter[]>([]);
  const [limit, setLimit] = useState<(typeof LIMITS)[number]>("");
  const [minScore, setMinScore] = useState<(typeof SCORES)[number]>("");
  const [isLive, setLive] = useState(false);
  const search = useSearch(acting);
  const answer = useAnswer(acting);
  const answerPanel = useRef<HTMLElement>(null);
  const w = words.playground;

  const typedFilters = filtersOf(filters);
  const asked = {
    datasetId,
    question: question.trim(),
    ...(typedFilters.length > 0 && { filters: typedFilters }),
    ...(limit !== "" && { limit: Number(limit) }),
    ...(minScore !== "" && { minScore: Number(minScore) }),
  };
  const isAsked = asked.question !== "";
  const key = JSON.stringify(asked);
  const searched = { ...asked, highlights: true, explain: true };
  const queried = { ...asked, highlights: true, stream: true };

  const runSearch = useCallback(() => {
    if (isAsked) search.run(searched);
  }, [key]);

  useEffect(() => {
    if (!isLive || asked.question.length < LEAST_TYPED) return;
    const timer = setTimeout(runSearch, PAUSE);
    return () => clearTimeout(timer);
  }, [isLive, key]);

  useEffect(() => {
    // On narrow screens the answer stands below all passages, where nobody would see it begin.
    if (answer.isRunning && answerPanel.current!.getBoundingClientRect().top > innerHeight * ANSWER_SEEN)
      answerPanel.current!.scrollIntoView();
  }, [answer.isRunning]);

  return (
    <>
      <search>
        <form
          class="ask"
          onSubmit={(event) => {
            event.preventDefault();
            runSearch();
          }}
        >
          <div class="ask-row">
            <Choice
              label={w.dataset}
              value={datasetId}
              of={datasets.map((value) => ({ value, text: value }))}
              onChange={(value) => goTo(...base, "search", value)}
            />
            <div class="field question">
              <label for="question">{w.question}</label>
              <input
                id="question"
                type="search"
                dir="auto"
                autoComplete="off"
                enterkeyhint="search"
                placeholder={w.placeholder}
                value={question}
                onInput={({ currentTarget }) => setQuestion(currentTarget.value)}
              />
            </div>
            <div class="actions">
              <button type="submit" class="button primary" disabled={!isAsked}>
                <Icon name="search" />
                {w.search}
              </button>
              <button type="button" class="button" disabled={!isAsked} onClick={() => answer.run(queried)}>
                {w.ask}
              </button>
            </div>
          </div>
          <p class="soft fine">{prices === null ? " " : w.prices(prices.search, prices.query)}</p>
          <details class="options">
            <summary>{w.options}</summary>
            <Filters filters={filters} onChange={setFilters} />
            <div class="field-grid">
              <Choice
                label={w.limit}
                value={limit}
                of={LIMITS.map((value) => ({ value, text: value === "" ? w.limitStandard : value }))}
                onChange={setLimit}
              />
              <Choice
                label={w.minScore}
                value={minScore}
                of={SCORES.map((value) => ({ value, text: w.minScores[value] }))}
                onChange={setMinScore}
              />
            </div>
            <Check
              label={
                <>
                  {w.live} <span class="soft">{prices !== null && w.livePrice(prices.search)}</span>
                </>
              }
              checked={isLive}
              onChange={setLive}
            />
          </details>
        </form>
      </search>
      <div class="playground">
        <section class="panel" aria-label={w.results} aria-busy={search.isRunning}>
          <h2>{w.results}</h2>
          <ResultsPanel search={search} customer={acting} />
          {isAsked && <CodeSample request={{ method: "POST", path: "/v1/search", json: searched }} />}
        </section>
        <section ref={answerPanel} class="panel" aria-label={w.answer} aria-busy={answer.isRunning}>
          <h2>{w.answer}</h2>
          <AnswerPanel answer={answer} customer={acting} />
          {isAsked && <CodeSample request={{ method: "POST", path: "/v1/query", json: queried, streams: true }} />}
        </section>
      </div>
    </>
  );
}
