/** Files of all customers that are still to be read, or could not be. */
import { useState } from "preact/hooks";
import { announce } from "../parts/announcements.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Link } from "../parts/links.tsx";
import { Empty, Page, Shown } from "../parts/page.tsx";
import { Progress, Row, Rows } from "../parts/rows.tsx";
import { useLoaded } from "../service/load.ts";
import { request } from "../service/requests.ts";
import type { Job } from "../service/types.ts";
import { formats, words } from "../words/index.ts";

const EVERY = 3000;
/** As many as are shown at once. */
const SHOWN = 200;

export function JobsPage() {
  const loaded = useLoaded<{ jobs: readonly Job[] }>("/console/jobs", { every: EVERY });
  const [removed, setRemoved] = useState<Job | null>(null);
  const w = words.jobs;
  return (
    <Page title={words.titles.jobs} lead={w.lead}>
      <Shown of={loaded}>
        {({ jobs }) =>
          jobs.length === 0 ? (
            <Empty icon="jobs" title={w.emptyTitle}>
              {w.empty}
            </Empty>
          ) : (
            <>
              <Rows label={words.titles.jobs}>
                {jobs.slice(0, SHOWN).map((job) => (
                  <Row
                    key={job.fileId}
                    title={
                      <>
                        <bdi>{job.name}</bdi>
                        <span class={job.status === "failed" ? "chip is-bad" : "chip"}>{w.status(job.status)}</span>
                      </>
                    }
                    facts={[
                      <Link to={["customers", job.customerId]}>{job.customerId}</Link>,
                      <Link to={["customers", job.customerId, "datasets", job.datasetId]}>{job.datasetId}</Link>,
                      formats.since(job.created),
                    ]}
                    actions={
                      <button
                        type="button"
                        class="button small"
                        aria-label={w.removeNamed(job.name)}
                        onClick={() => setRemoved(job)}
                      >
                        {words.actions.remove}
                      </button>
                    }
                  >
                    {job.error !== null && (
                      <p class="reason" dir="auto">
                        {typeof job.error === "string" ? job.error : job.error.message}
                      </p>
                    )}
                    {job.status !== "failed" && job.progress !== null && job.progress > 0 && (
                      <Progress share={job.progress} label={w.progress(job.name)} />
                    )}
                  </Row>
                ))}
              </Rows>
              {jobs.length > SHOWN && <p class="soft">{w.more(jobs.length - SHOWN)}</p>}
            </>
          )
        }
      </Shown>
      {removed !== null && (
        <Confirm
          title={w.removeTitle(removed.name)}
          action={words.actions.remove}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await request("DELETE", `/v1/files/${encodeURIComponent(removed.fileId)}`, {
              customer: removed.customerId,
            });
            announce(words.files.removed(removed.name));
            loaded.reload();
          }}
        >
          <p>{w.removeWhat}</p>
        </Confirm>
      )}
    </Page>
  );
}
