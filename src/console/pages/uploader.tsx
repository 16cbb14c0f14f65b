/** Where files are dropped or chosen, and how far they are. */
import { useEffect, useRef, useState } from "preact/hooks";
import { CodeSample } from "../parts/code-sample.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icons.tsx";
import { Link } from "../parts/links.tsx";
import { Progress } from "../parts/rows.tsx";
import { clearUploads, queueUploads, useUploads, type QueuedUpload } from "../service/upload-queue.ts";
import type { Workspace } from "../service/workspace.ts";
import { formats, words } from "../words/index.ts";

export interface UploaderProps {
  readonly workspace: Workspace;
  readonly datasetId: string;
  /** Whenever more has been sent. */
  readonly onSent: () => void;
}

/** Uploads that are told one by one; the rest is counted. */
const SHOWN = 8;

export function Uploader({ workspace: { acting, base }, datasetId, onSent }: UploaderProps) {
  const uploads = useUploads(acting, datasetId);
  const [isOver, setOver] = useState(false);
  const [meta, setMeta] = useState("");
  const [language, setLanguage] = useState("");
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const w = words.upload;
  const isMetaWrong = meta.trim() !== "" && !isObject(meta);

  const ended = uploads.filter(({ state }) => state === "sent" || state === "failed").length;
  const sent = uploads.filter(({ state }) => state === "sent").length;
  useEffect(() => {
    if (sent > 0) onSent();
  }, [sent]);

  const common = {
    ...(meta.trim() !== "" && { extraMeta: meta.trim() }),
    ...(language.trim() !== "" && { language: language.trim() }),
  };
  const take = (chosen: readonly File[]): void => {
    if (isMetaWrong) return;
    queueUploads(acting, datasetId, chosen, ({ webkitRelativePath }) => ({
      ...common,
      ...(webkitRelativePath !== "" && { path: webkitRelativePath }),
    }));
  };
  const takeInput = (input: HTMLInputElement): void => {
    take([...(input.files ?? [])]);
    input.value = "";
  };

  return (
    <div class="uploader">
      <section
        aria-label={w.drop}
        class={isOver ? "drop is-over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <Icon name="upload" />
        <p>{w.drop}</p>
        <div class="actions">
          <input
            ref={files}
            class="unseen"
            type="file"
            multiple
            tabIndex={-1}
            aria-label={w.files}
            onChange={({ currentTarget }) => takeInput(currentTarget)}
          />
          <button type="button" class="button primary" disabled={isMetaWrong} onClick={() => files.current!.click()}>
            {w.choose}
          </button>
          <input
            ref={(input) => {
              folder.current = input;
              input?.setAttribute("webkitdirectory", "");
            }}
            class="unseen"
            type="file"
            multiple
            tabIndex={-1}
            aria-label={w.folder}
            onChange={({ currentTarget }) => takeInput(currentTarget)}
          />
          <button type="button" class="button" disabled={isMetaWrong} onClick={() => folder.current!.click()}>
            {w.chooseFolder}
          </button>
        </div>
        <p class="soft fine">{w.formats}</p>
      </section>
      {uploads.length > 0 && (
        <section class="notice" aria-label={w.progress}>
          <div class="notice-head">
            <p role="status">{w.sent(sent, uploads.length)}</p>
            <div class="actions">
              {sent > 0 && (
                <Link to={[...base, "search", datasetId]} className="button small primary">
                  {w.searchNow}
                </Link>
              )}
              <button type="button" class="button small" onClick={() => clearUploads(acting, datasetId)}>
                {ended === uploads.length ? words.actions.close : words.actions.stop}
              </button>
            </div>
          </div>
          <Progress
            share={
              uploads.reduce((sum, { share, state }) => sum + (state === "failed" ? 1 : share), 0) / uploads.length
            }
            label={w.progress}
          />
          <UploadList uploads={uploads} />
        </section>
      )}
      <details>
        <summary>{w.more}</summary>
        <div class="field-grid">
          <Field
            label={w.meta}
            hint={isMetaWrong ? w.metaWrong : w.metaHint}
            placeholder='{"year": 2026}'
            isInvalid={isMetaWrong}
            spellcheck={false}
            value={meta}
            onChange={setMeta}
          />
          <Field
            label={w.language}
            hint={w.languageHint}
            placeholder="pt-BR"
            spellcheck={false}
            value={language}
            onChange={setLanguage}
          />
        </div>
      </details>
      <CodeSample request={{ method: "POST", path: "/v1/files/upload", form: { datasetId, ...common } }} />
    </div>
  );
}

/** Failures, and what is under way. */
function UploadList({ uploads }: { uploads: readonly QueuedUpload[] }) {
  const failed = uploads.filter(({ state }) => state === "failed");
  const sending = uploads.filter(({ state }) => state === "sending");
  return (
    <ul class="uploads">
      {failed.slice(0, SHOWN).map(({ number, name, reason }) => (
        <li key={number} class="is-bad">
          <bdi>{name}</bdi> <span dir="auto">{reason}</span>
        </li>
      ))}
      {failed.length > SHOWN && <li class="is-bad">{words.upload.moreFailed(failed.length - SHOWN)}</li>}
      {sending.map(({ number, name, share }) => (
        <li key={number}>
          <bdi>{name}</bdi> <span class="soft">{formats.percent(share)}</span>
        </li>
      ))}
    </ul>
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
