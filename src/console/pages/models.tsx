/** Models: which are here, which are in use, and new ones. */
import { useRef, useState } from "preact/hooks";
import { announce } from "../parts/announcements.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icons.tsx";
import { Page, Problem, Section, Shown } from "../parts/page.tsx";
import { Progress, Row, Rows } from "../parts/rows.tsx";
import { useTask } from "../parts/task.ts";
import { useLoaded } from "../service/load.ts";
import { request } from "../service/requests.ts";
import type { Model, ModelList } from "../service/types.ts";
import { sendBody } from "../service/upload.ts";
import { queryWith } from "../text/address.ts";
import { formats, words } from "../words/index.ts";

const EVERY = 5000;
const KINDS = ["embedding", "answers", "speech", "ocr"] as const;

export function ModelsPage() {
  const loaded = useLoaded<ModelList>("/console/models", { every: EVERY });
  const [removed, setRemoved] = useState<Model | null>(null);
  const { run, isRunning, error } = useTask();
  const w = words.models;
  const choose = ({ name, kind }: Model): void =>
    void run(async () => {
      await request("PATCH", `/console/models/${encodeURIComponent(name)}`, { json: { use: true, kind } });
      announce(w.chosen(name));
      loaded.reload();
    });
  return (
    <Page title={words.titles.models} lead={w.lead}>
      <Problem error={error} />
      <Shown of={loaded}>
        {({ models, reembedding }) => {
          const kinds = [...new Set([...KINDS, ...models.map(({ kind }) => kind)])];
          return (
            <>
              {reembedding !== null && reembedding.chunks > reembedding.done && (
                <div class="notice">
                  <p>
                    {words.overview.reembedding(
                      formats.percent(reembedding.done / reembedding.chunks),
                      reembedding.datasets,
                    )}
                  </p>
                  <Progress share={reembedding.done / reembedding.chunks} label={words.overview.reembeddingLabel} />
                </div>
              )}
              {kinds.map((kind) => {
                const those = models.filter((model) => model.kind === kind);
                return (
                  <Section key={kind} title={w.kind(kind)} lead={w.kindLead(kind)}>
                    {those.length === 0 ? (
                      <p class="soft">{w.none}</p>
                    ) : (
                      <Rows label={w.kind(kind)}>
                        {those.map((model) => (
                          <Row
                            key={model.name}
                            title={
                              <>
                                <bdi>{model.name}</bdi>
                                {model.chosen && <span class="chip is-good">{w.isChosen}</span>}
                              </>
                            }
                            facts={[
                              model.builtIn && w.builtIn,
                              model.bytes > 0 && formats.bytes(model.bytes),
                              <span dir="auto">{model.describe}</span>,
                            ]}
                            actions={
                              <>
                                {!model.chosen && (
                                  <button
                                    type="button"
                                    class="button small"
                                    disabled={isRunning}
                                    aria-label={w.chooseNamed(model.name)}
                                    onClick={() => choose(model)}
                                  >
                                    {w.choose}
                                  </button>
                                )}
                                {!model.builtIn && (
                                  <button
                                    type="button"
                                    class="button small"
                                    aria-label={w.removeNamed(model.name)}
                                    onClick={() => setRemoved(model)}
                                  >
                                    {words.actions.remove}
                                  </button>
                                )}
                              </>
                            }
                          />
                        ))}
                      </Rows>
                    )}
                  </Section>
                );
              })}
              <NewModel onAdded={loaded.reload} />
            </>
          );
        }}
      </Shown>
      {removed !== null && (
        <Confirm
          title={w.removeTitle(removed.name)}
          action={words.actions.remove}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await request("DELETE", `/console/models/${encodeURIComponent(removed.name)}`);
            announce(w.removed(removed.name));
            loaded.reload();
          }}
        >
          <p>{w.removeWhat}</p>
        </Confirm>
      )}
    </Page>
  );
}

function NewModel({ onAdded }: { onAdded: () => void }) {
  const [share, setShare] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { run, isRunning, error } = useTask();
  const w = words.models;
  const add = (file: File | undefined): void => {
    if (file === undefined) return;
    void run(async () => {
      setShare(0);
      try {
        await sendBody(`/console/models${queryWith({ name: file.name })}`, file, {
          customer: null,
          signal: new AbortController().signal,
          onProgress: setShare,
        });
        announce(w.added(file.name));
        onAdded();
      } finally {
        setShare(null);
        input.current!.value = "";
      }
    });
  };
  return (
    <Section title={w.add} lead={w.addLead}>
      <div class="actions">
        <input
          ref={input}
          class="unseen"
          type="file"
          tabIndex={-1}
          aria-label={w.file}
          onChange={({ currentTarget }) => add(currentTarget.files?.[0])}
        />
        <button type="button" class="button" disabled={isRunning} onClick={() => input.current!.click()}>
          <Icon name="upload" />
          {w.choseFile}
        </button>
      </div>
      {share !== null && (
        <div class="notice">
          <p>{share < 1 ? w.sending(formats.percent(share)) : w.checking}</p>
          <Progress share={share} label={w.sendingLabel} />
        </div>
      )}
      <Problem error={error} />
    </Section>
  );
}
