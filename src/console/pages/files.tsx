/** The files of one dataset: what is there, what is still being read, and what could not be. */
import { useRef, useState } from "preact/hooks";
import { announce } from "../parts/announcements.tsx";
import { CodeSample } from "../parts/code-sample.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icons.tsx";
import { goTo, Link } from "../parts/links.tsx";
import { Empty, Page, Problem, Section, Shown } from "../parts/page.tsx";
import { Paging, Progress, Row, Rows } from "../parts/rows.tsx";
import { useTask } from "../parts/task.ts";
import { download } from "../service/download.ts";
import { useLoaded } from "../service/load.ts";
import { request } from "../service/requests.ts";
import type { FilePage, StoredFile } from "../service/types.ts";
import { sendBody } from "../service/upload.ts";
import type { Workspace } from "../service/workspace.ts";
import { fragmentTo, queryWith } from "../text/address.ts";
import { formats, words } from "../words/index.ts";
import { Uploader } from "./uploader.tsx";

const PAGE = 50;
/** Milliseconds between two looks at a page on which files are being read. */
const EVERY = 2000;

export function FilesPage({ workspace, datasetId }: { workspace: Workspace; datasetId: string }) {
  const { acting, base } = workspace;
  const [trail, setTrail] = useState<readonly (string | null)[]>([null]);
  const [typed, setTyped] = useState("");
  const [name, setName] = useState("");
  const [isReading, setReading] = useState(false);
  const address = `/v1/files${queryWith({ datasetId, limit: PAGE, cursor: trail.at(-1)!, name: name || null })}`;
  const loaded = useLoaded<FilePage>(address, { customer: acting, every: isReading ? EVERY : null });
  const [removed, setRemoved] = useState<StoredFile | "all" | null>(null);
  const { run, error } = useTask();
  const isStillReading = loaded.value?.files.some(({ status }) => status === "processing") ?? false;
  if (isStillReading !== isReading) setReading(isStillReading);
  const w = words.files;

  return (
    <Page
      title={datasetId}
      trail={<Link to={[...base, "datasets"]}>{words.titles.datasets}</Link>}
      actions={
        <>
          <a class="button primary" href={fragmentTo(...base, "search", datasetId)}>
            <Icon name="search" />
            {words.datasets.search}
          </a>
          <button type="button" class="button" onClick={() => setRemoved("all")}>
            <Icon name="remove" />
            {words.actions.removeAll}
          </button>
        </>
      }
    >
      <Uploader workspace={workspace} datasetId={datasetId} onSent={loaded.reload} />
      <Section title={words.titles.files} lead={w.lead}>
        <search>
          <form
            class="inline-form"
            onSubmit={(event) => {
              event.preventDefault();
              setTrail([null]);
              setName(typed);
            }}
          >
            <Field
              label={w.find}
              type="search"
              dir="auto"
              value={typed}
              onChange={(value) => {
                setTyped(value);
                if (value === "") setName("");
              }}
            />
            <div class="actions">
              <button type="submit" class="button">
                {w.findAction}
              </button>
            </div>
          </form>
        </search>
        <Problem error={error} />
        <Shown of={loaded}>
          {({ files, nextCursor = null }) => (
            <>
              {files.length === 0 ? (
                name === "" ? (
                  <Empty icon="file" title={w.emptyTitle}>
                    {w.empty}
                  </Empty>
                ) : (
                  <p class="soft">{w.notFound(name)}</p>
                )
              ) : (
                <Rows label={words.titles.files}>
                  {files.map((file) => (
                    <FileRow
                      key={file.fileId}
                      file={file}
                      customer={acting}
                      onDownload={() => void run(() => download(file.fileId, acting))}
                      onRemove={() => setRemoved(file)}
                      onReplaced={loaded.reload}
                    />
                  ))}
                </Rows>
              )}
              <Paging trail={trail} next={nextCursor} onChange={setTrail} />
            </>
          )}
        </Shown>
        <CodeSample request={{ method: "GET", path: `/v1/files${queryWith({ datasetId, limit: PAGE })}` }} />
      </Section>
      {removed === "all" && (
        <Confirm
          title={words.datasets.removeTitle(datasetId)}
          action={words.actions.removeAll}
          typed={{ label: words.datasets.removeType(datasetId), text: datasetId }}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await request("DELETE", `/v1/datasets/${encodeURIComponent(datasetId)}/files`, { customer: acting });
            announce(words.datasets.removed(datasetId));
            goTo(...base, "datasets");
          }}
        >
          <p>{w.removeAll}</p>
        </Confirm>
      )}
      {removed !== null && removed !== "all" && (
        <Confirm
          title={w.removeTitle(removed.originalName)}
          action={words.actions.remove}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await request("DELETE", `/v1/files/${encodeURIComponent(removed.fileId)}`, { customer: acting });
            announce(w.removed(removed.originalName));
            loaded.reload();
          }}
        >
          <p>{w.removeWhat}</p>
        </Confirm>
      )}
    </Page>
  );
}

interface FileRowProps {
  readonly file: StoredFile;
  readonly customer: string | null;
  readonly onDownload: () => void;
  readonly onRemove: () => void;
  readonly onReplaced: () => void;
}

function FileRow({ file, customer, onDownload, onRemove, onReplaced }: FileRowProps) {
  const { originalName, status } = file;
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number | null>(null);
  const { run, isRunning, error } = useTask();
  const w = words.files;
  const replace = (next: File | undefined): void => {
    if (next === undefined) return;
    void run(async () => {
      setShare(0);
      try {
        await replaceFile(file, next, customer, setShare);
        announce(w.replaced(originalName));
        onReplaced();
      } finally {
        setShare(null);
        if (input.current) input.current.value = "";
      }
    });
  };
  return (
    <Row
      title={
        <>
          <bdi class="file-name">{originalName}</bdi>
          {status !== "ready" && <span class={status === "failed" ? "chip is-bad" : "chip"}>{w.status[status]}</span>}
        </>
      }
      facts={[
        file.size !== null && formats.bytes(file.size),
        w.stored(formats.since(file.created)),
        file.path && <bdi>{file.path}</bdi>,
        file.language && w.language(file.language),
        file.externalId && <bdi>{w.externalId(file.externalId)}</bdi>,
        file.extraMeta && Object.keys(file.extraMeta).length > 0 && (
          <bdi class="meta">{JSON.stringify(file.extraMeta)}</bdi>
        ),
      ]}
      actions={
        <>
          {status === "ready" && (
            <button
              type="button"
              class="button small icon-only"
              aria-label={w.downloadNamed(originalName)}
              title={w.downloadNamed(originalName)}
              onClick={onDownload}
            >
              <Icon name="download" />
            </button>
          )}
          <input
            ref={input}
            class="unseen"
            type="file"
            tabIndex={-1}
            aria-label={w.replaceNamed(originalName)}
            onChange={({ currentTarget }) => replace(currentTarget.files?.[0])}
          />
          <button
            type="button"
            class="button small icon-only"
            disabled={isRunning}
            aria-label={w.replaceNamed(originalName)}
            title={w.replaceNamed(originalName)}
            onClick={() => input.current!.click()}
          >
            <Icon name="replace" />
          </button>
          <button
            type="button"
            class="button small icon-only"
            aria-label={w.removeNamed(originalName)}
            title={w.removeNamed(originalName)}
            onClick={onRemove}
          >
            <Icon name="remove" />
          </button>
        </>
      }
    >
      {file.error && (
        <p class="reason" dir="auto">
          {file.error.message}
        </p>
      )}
      {status === "processing" && <Progress share={file.progress ?? 0} label={w.reading(originalName)} />}
      {share !== null && <Progress share={share} label={w.replacing(originalName)} />}
      <Problem error={error} />
    </Row>
  );
}

/**
 * Puts another file in this one's place. One with a name of its owner's is replaced in one moment; else the new one is indexed first and
 * the former one removed then: searches never find neither. Throws RequestError.
 */
async function replaceFile(
  file: StoredFile,
  next: File,
  customer: string | null,
  onProgress: (share: number) => void,
): Promise<void> {
  const form = new FormData();
  form.append("datasetId", file.datasetId);
  if (file.externalId !== undefined) form.append("externalId", file.externalId);
  if (file.path !== undefined) form.append("path", file.path);
  if (file.extraMeta !== null) form.append("extraMeta", JSON.stringify(file.extraMeta));
  form.append("file", next, next.name);
  await sendBody("/v1/files/upload", form, { customer, signal: new AbortController().signal, onProgress });
  if (file.externalId === undefined)
    await request("DELETE", `/v1/files/${encodeURIComponent(file.fileId)}`, { customer });
}
