/** Backups: making one, and looking whether one is sound. */
import { useState } from "preact/hooks";
import { announce } from "../parts/announcements.tsx";
import { Icon } from "../parts/icons.tsx";
import { Empty, Page, Problem, Shown } from "../parts/page.tsx";
import { Progress, Row, Rows } from "../parts/rows.tsx";
import { useTask } from "../parts/task.ts";
import { useLoaded } from "../service/load.ts";
import { request } from "../service/requests.ts";
import type { BackupList } from "../service/types.ts";
import { formats, words } from "../words/index.ts";

const EVERY = 3000;

export function BackupsPage() {
  const loaded = useLoaded<BackupList>("/console/backups", { every: EVERY });
  const [verdicts, setVerdicts] = useState<Readonly<Record<string, { sound: boolean; message: string }>>>({});
  const making = useTask();
  const verifying = useTask();
  const [verified, setVerified] = useState<string | null>(null);
  const w = words.backups;
  const make = (): void =>
    void making.run(async () => {
      await request("POST", "/console/backups", { json: {} });
      announce(w.begun);
      loaded.reload();
    });
  const verify = (name: string): void =>
    void verifying.run(async () => {
      setVerified(name);
      const verdict = await request<{ sound: boolean; message: string }>(
        "POST",
        `/console/backups/${encodeURIComponent(name)}/verify`,
        { json: {} },
      );
      setVerdicts((known) => ({ ...known, [name]: verdict }));
      announce(verdict.sound ? w.sound : w.unsound);
    });
  const { directory = null, running = null } = loaded.value ?? {};
  return (
    <Page
      title={words.titles.backups}
      lead={w.lead}
      actions={
        directory !== null && (
          <button type="button" class="button primary" disabled={making.isRunning || running !== null} onClick={make}>
            <Icon name="backups" />
            {w.make}
          </button>
        )
      }
    >
      <Problem error={making.error} />
      <Problem error={verifying.error} />
      <Shown of={loaded}>
        {({ directory, backups, running, failure }) =>
          directory === null ? (
            <Empty icon="backups" title={w.noDirectoryTitle}>
              {w.noDirectory}
            </Empty>
          ) : (
            <>
              <p class="soft">
                {w.directory} <code dir="ltr">{directory}</code>
              </p>
              {running !== null && (
                <div class="notice" role="status">
                  <p>{running.share === null ? w.starting : w.running(formats.percent(running.share))}</p>
                  <Progress share={running.share} label={w.runningLabel} />
                </div>
              )}
              {failure !== null && (
                <div class="notice is-bad">
                  <p dir="auto">{w.failed(failure.message)}</p>
                </div>
              )}
              {backups.length === 0 && running === null ? (
                <Empty icon="backups" title={w.emptyTitle}>
                  {w.empty}
                </Empty>
              ) : (
                <Rows label={words.titles.backups}>
                  {backups.map(({ name, created, bytes, kind }) => (
                    <Row
                      key={name}
                      title={
                        <>
                          <bdi>{name}</bdi>
                          {verdicts[name] && (
                            <span class={verdicts[name].sound ? "chip is-good" : "chip is-bad"}>
                              {verdicts[name].sound ? w.isSound : w.isUnsound}
                            </span>
                          )}
                        </>
                      }
                      facts={[formats.moment(created), formats.bytes(bytes), w.kind(kind)]}
                      actions={
                        <button
                          type="button"
                          class="button small"
                          disabled={verifying.isRunning}
                          aria-label={w.verifyNamed(name)}
                          onClick={() => verify(name)}
                        >
                          {verifying.isRunning && verified === name ? w.verifying : w.verify}
                        </button>
                      }
                    >
                      {verdicts[name] && (
                        <p class="soft" dir="auto">
                          {verdicts[name].message}
                        </p>
                      )}
                    </Row>
                  ))}
                </Rows>
              )}
            </>
          )
        }
      </Shown>
    </Page>
  );
}
