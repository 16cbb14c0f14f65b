/** How the server does: what is stored, the machine, how quickly it answers, and what waits. */
import { Link } from "../parts/links.tsx";
import { Figure, Page, Section, Shown } from "../parts/page.tsx";
import { Progress } from "../parts/rows.tsx";
import { Scrolled } from "../parts/scrolled.tsx";
import { useLoaded } from "../service/load.ts";
import type { Customer, Overview } from "../service/types.ts";
import { formats, words } from "../words/index.ts";

const EVERY = 5000;
/** What these pages ask for themselves. */
const OWN = / \/(console\/.*)?$/;

export function OverviewPage() {
  const overview = useLoaded<Overview>("/console/overview", { every: EVERY });
  const w = words.overview;
  const isReady = overview.value?.readiness.status === "ready";
  return (
    <Page
      title={words.titles.overview}
      actions={isReady && <span class="chip is-good">{w.ready}</span>}
      lead={overview.value && w.lead(overview.value.url ?? location.origin, formats.since(overview.value.started))}
    >
      <Shown of={overview}>
        {(value) => (
          <>
            <Readiness overview={value} />
            {value.stored.files === 0 && value.queue.waiting + value.queue.running === 0 && <FirstSteps />}
            <Section title={w.stored}>
              <dl class="figures-list">
                <Figure label={w.customers} value={formats.number(value.stored.customers)} />
                <Figure label={w.datasets} value={formats.number(value.stored.datasets)} />
                <Figure label={w.files} value={formats.number(value.stored.files)} />
                <Figure label={w.passages} value={formats.number(value.stored.chunks)} />
              </dl>
            </Section>
            <Section title={w.machine}>
              <dl class="figures-list">
                <Figure
                  label={w.memory}
                  value={known(value.machine.residentBytes, formats.bytes)}
                  note={w.processors(value.machine.processorCount)}
                />
                <Figure
                  label={w.disk}
                  value={known(value.machine.diskFreeBytes, formats.bytes)}
                  note={value.machine.diskReserveMissing ? w.diskFull : w.diskNote}
                />
                <Figure
                  label={w.requests}
                  value={known(value.machine.requestsRunning, formats.number)}
                  note={w.uploads(value.machine.uploadsRunning)}
                />
                <Figure
                  label={w.delay}
                  value={known(value.machine.eventLoopDelaySeconds, formats.seconds)}
                  note={w.delayNote}
                />
              </dl>
            </Section>
            <Section title={w.work}>
              <dl class="figures-list">
                <Figure
                  label={w.queue}
                  value={formats.number(value.queue.waiting + value.queue.running)}
                  note={<Link to={["jobs"]}>{w.queueNote(value.queue.running, value.queue.failed)}</Link>}
                />
                <Figure
                  label={w.vectors}
                  value={known(value.indexes.vectors, formats.number)}
                  note={w.indexBytes(formats.bytes(value.indexes.bytes + value.indexes.lexicalBytes))}
                />
                <Figure label={w.open} value={known(value.indexes.openDatasets, formats.number)} note={w.openNote} />
                <Figure
                  label={w.answers}
                  value={known(value.answers.running, formats.number)}
                  note={w.answersNote(value.answers.waiting, value.answers.sequences)}
                />
              </dl>
            </Section>
            <Routes routes={value.routes} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function Readiness({ overview: { readiness, reembedding } }: { overview: Overview }) {
  const isReady = readiness.status === "ready";
  const isReembedding = reembedding.chunks > reembedding.done;
  return (
    <>
      {!isReady && (
        <div class="notice is-warning">
          <p>{readiness.message ?? readiness.status}</p>
        </div>
      )}
      {isReembedding && (
        <div class="notice">
          <p>
            {words.overview.reembedding(formats.percent(reembedding.done / reembedding.chunks), reembedding.datasets)}
          </p>
          <Progress share={reembedding.done / reembedding.chunks} label={words.overview.reembeddingLabel} />
        </div>
      )}
    </>
  );
}

/** What is measured may be unknown for a moment. */
function known(value: number | null, write: (value: number) => string): string {
  return value === null ? words.overview.unknown : write(value);
}

/** From an empty server to the first search. */
function FirstSteps() {
  const customers = useLoaded<{ customers: readonly Customer[] }>("/console/customers");
  const [first] = customers.value?.customers ?? [];
  const w = words.firstSteps;
  return (
    <section class="steps">
      <h2>{w.title}</h2>
      <ol>
        <li>
          <h3>{w.upload}</h3>
          <p class="soft">{w.uploadWhy}</p>
          {first ? (
            <Link to={["customers", first.customerId, "datasets"]} className="button primary">
              {w.uploadAction(first.customerId)}
            </Link>
          ) : (
            <Link to={["customers"]} className="button primary">
              {w.customerAction}
            </Link>
          )}
        </li>
        <li>
          <h3>{w.search}</h3>
          <p class="soft">{w.searchWhy}</p>
        </li>
        <li>
          <h3>{w.share}</h3>
          <p class="soft">{w.shareWhy}</p>
        </li>
      </ol>
    </section>
  );
}

function Routes({ routes }: { routes: Overview["routes"] }) {
  const w = words.overview;
  const used = routes
    .filter(({ route, count }) => count > 0 && !OWN.test(route))
    .sort((one, other) => other.count - one.count);
  const time = (seconds: number | null): string => (seconds === null ? "–" : formats.seconds(seconds));
  return (
    <Section title={w.routes} lead={w.routesLead}>
      {used.length === 0 ? (
        <p class="soft">{w.noRoutes}</p>
      ) : (
        <Scrolled className="table-frame" label={w.routes}>
          <table>
            <thead>
              <tr>
                <th scope="col">{w.route}</th>
                <th scope="col" class="figures">
                  {w.count}
                </th>
                <th scope="col" class="figures">
                  {w.errors}
                </th>
                <th scope="col" class="figures">
                  {w.half}
                </th>
                <th scope="col" class="figures">
                  {w.slowest}
                </th>
              </tr>
            </thead>
            <tbody>
              {used.map(({ route, count, errors, p50Seconds, p99Seconds }) => (
                <tr key={route}>
                  <th scope="row">
                    <code>{route}</code>
                  </th>
                  <td class="figures">{formats.number(count)}</td>
                  <td class="figures">{formats.number(errors)}</td>
                  <td class="figures">{time(p50Seconds)}</td>
                  <td class="figures">{time(p99Seconds)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
    </Section>
  );
}
