/** A customer's datasets. */
import { useState } from "preact/hooks";
import { announce } from "../parts/announcements.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icons.tsx";
import { Link } from "../parts/links.tsx";
import { Page, Section, Shown } from "../parts/page.tsx";
import { Paging, Row, Rows } from "../parts/rows.tsx";
import { useLoaded } from "../service/load.ts";
import { request } from "../service/requests.ts";
import type { Dataset, DatasetPage } from "../service/types.ts";
import type { Workspace } from "../service/workspace.ts";
import { fragmentTo, queryWith } from "../text/address.ts";
import { formats, words } from "../words/index.ts";
import { Uploader } from "./uploader.tsx";

const PAGE = 50;
/** The name that a first dataset is offered. */
const FIRST = "documents";

export function DatasetsPage({ workspace }: { workspace: Workspace }) {
  const { acting, base } = workspace;
  const [trail, setTrail] = useState<readonly (string | null)[]>([null]);
  const loaded = useLoaded<DatasetPage>(`/v1/datasets${queryWith({ limit: PAGE, cursor: trail.at(-1)! })}`, {
    customer: acting,
  });
  const [removed, setRemoved] = useState<Dataset | null>(null);
  const w = words.datasets;
  return (
    <Page title={words.titles.datasets} lead={w.lead}>
      <Shown of={loaded}>
        {({ data, nextCursor }) => {
          const isFirst = data.length === 0 && trail.length === 1;
          return (
            <>
              {!isFirst && (
                <Rows label={words.titles.datasets}>
                  {data.map((dataset) => (
                    <Row
                      key={dataset.datasetId}
                      title={<Link to={[...base, "datasets", dataset.datasetId]}>{dataset.datasetId}</Link>}
                      facts={[
                        words.counted.files(dataset.files),
                        words.counted.passages(dataset.chunks),
                        formats.bytes(dataset.bytes),
                        w.updated(formats.since(dataset.updated)),
                      ]}
                      actions={
                        <>
                          <a
                            class="button small"
                            href={fragmentTo(...base, "search", dataset.datasetId)}
                            aria-label={w.searchNamed(dataset.datasetId)}
                          >
                            <Icon name="search" />
                            {w.search}
                          </a>
                          <button
                            type="button"
                            class="button small icon-only"
                            aria-label={w.removeNamed(dataset.datasetId)}
                            title={w.removeNamed(dataset.datasetId)}
                            onClick={() => setRemoved(dataset)}
                          >
                            <Icon name="remove" />
                          </button>
                        </>
                      }
                    />
                  ))}
                </Rows>
              )}
              <Paging trail={trail} next={nextCursor} onChange={setTrail} />
              <NewDataset workspace={workspace} isFirst={isFirst} onChange={loaded.reload} />
            </>
          );
        }}
      </Shown>
      {removed !== null && (
        <Confirm
          title={w.removeTitle(removed.datasetId)}
          action={words.actions.removeAll}
          typed={{ label: w.removeType(removed.datasetId), text: removed.datasetId }}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await request("DELETE", `/v1/datasets/${encodeURIComponent(removed.datasetId)}/files`, {
              customer: acting,
            });
            announce(w.removed(removed.datasetId));
            loaded.reload();
          }}
        >
          <p>{w.removeWhat(removed.files)}</p>
        </Confirm>
      )}
    </Page>
  );
}

/** A dataset begins with its first file. */
function NewDataset({
  workspace,
  isFirst,
  onChange,
}: {
  workspace: Workspace;
  isFirst: boolean;
  onChange: () => void;
}) {
  const [name, setName] = useState(isFirst ? FIRST : "");
  const w = words.datasets;
  const datasetId = name.trim();
  return (
    <Section title={isFirst ? w.makeFirst : w.make} lead={isFirst ? w.makeFirstLead : w.makeLead}>
      <div class="narrow">
        <Field
          label={w.name}
          hint={w.nameHint}
          dir="auto"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={setName}
        />
      </div>
      {datasetId !== "" && <Uploader workspace={workspace} datasetId={datasetId} onSent={onChange} />}
    </Section>
  );
}
