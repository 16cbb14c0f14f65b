/** API keys of a customer: making one, which is shown once, and revoking. */
import { useState } from "preact/hooks";
import { announce } from "../parts/announcements.tsx";
import { SecretText } from "../parts/copy.tsx";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { Icon } from "../parts/icons.tsx";
import { Empty, Problem, Section, Shown } from "../parts/page.tsx";
import { Row, Rows } from "../parts/rows.tsx";
import { useTask } from "../parts/task.ts";
import { useLoaded } from "../service/load.ts";
import { request } from "../service/requests.ts";
import type { Key, NewKey, Scope } from "../service/types.ts";
import { ofCustomer, type Workspace } from "../service/workspace.ts";
import { queryWith } from "../text/address.ts";
import { formats, words } from "../words/index.ts";

const SCOPES: readonly Scope[] = ["all", "read", "write"];

export function KeysSection({ workspace }: { workspace: Workspace }) {
  const loaded = useLoaded<{ keys: readonly Key[] }>(`/console/keys${queryWith(ofCustomer(workspace))}`);
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const w = words.keys;
  const make = workspace.mayChange && (
    <button type="button" class="button" onClick={() => setMaking(true)}>
      <Icon name="key" />
      {w.make}
    </button>
  );
  return (
    <Section title={w.title} lead={w.lead} actions={make}>
      {!workspace.mayChange && <p class="notice">{w.mayNotChange}</p>}
      <Shown of={loaded}>
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty icon="key" title={w.emptyTitle}>
              {w.empty}
            </Empty>
          ) : (
            <Rows label={w.title}>
              {keys.map((key) => (
                <KeyRow key={key.keyId} shown={key} onRevoke={workspace.mayChange ? () => setRevoked(key) : null} />
              ))}
            </Rows>
          )
        }
      </Shown>
      {isMaking && <NewKeyDialog workspace={workspace} onMade={loaded.reload} onClose={() => setMaking(false)} />}
      {revoked !== null && (
        <Confirm
          title={w.revokeTitle(nameOf(revoked))}
          action={w.revoke}
          onClose={() => setRevoked(null)}
          onConfirm={async () => {
            await request("DELETE", `/console/keys/${encodeURIComponent(revoked.keyId)}`);
            announce(w.revoked(nameOf(revoked)));
            loaded.reload();
          }}
        >
          <p>{w.revokeWhat}</p>
        </Confirm>
      )}
    </Section>
  );
}

const nameOf = ({ name, keyId }: Key): string => name || keyId;

function KeyRow({ shown, onRevoke }: { shown: Key; onRevoke: (() => void) | null }) {
  const w = words.keys;
  const isOver = shown.expires !== null && Date.parse(shown.expires) <= Date.now();
  const isRevoked = Boolean(shown.revoked);
  return (
    <Row
      title={
        <>
          <bdi>{nameOf(shown)}</bdi>
          {isRevoked ? (
            <span class="chip is-bad">{w.isRevoked}</span>
          ) : (
            isOver && <span class="chip is-bad">{w.isExpired}</span>
          )}
        </>
      }
      facts={[
        w.scopes[shown.scope],
        w.created(formats.day(shown.created)),
        shown.lastUsed === null ? w.neverUsed : w.lastUsed(formats.since(shown.lastUsed)),
        shown.expires === null ? w.neverExpires : w.expires(formats.day(shown.expires)),
        shown.name && <code>{shown.keyId}</code>,
      ]}
      actions={
        onRevoke !== null &&
        !isRevoked && (
          <button type="button" class="button small" aria-label={w.revokeNamed(nameOf(shown))} onClick={onRevoke}>
            {w.revoke}
          </button>
        )
      }
    />
  );
}

interface NewKeyProps {
  readonly workspace: Workspace;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

function NewKeyDialog({ workspace, onMade, onClose }: NewKeyProps) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("all");
  const [expires, setExpires] = useState("");
  const [made, setMade] = useState<NewKey | null>(null);
  const { run, isRunning, error } = useTask();
  const w = words.keys;
  const make = (event: Event): void => {
    event.preventDefault();
    void run(async () => {
      const json = {
        ...(workspace.acting !== null && { customerId: workspace.acting }),
        ...(name.trim() !== "" && { name: name.trim() }),
        scope,
        // To the end of the day that was chosen, where it was chosen.
        expires: expires === "" ? null : new Date(`${expires}T23:59:59`).toISOString(),
      };
      setMade(await request<NewKey>("POST", "/console/keys", { json }));
      onMade();
    });
  };
  if (made !== null)
    return (
      <Dialog title={w.madeTitle} onClose={onClose}>
        <div class="dialog-body">
          <p>{w.once}</p>
          <SecretText label={w.key} text={made.apiKey} />
        </div>
        <div class="dialog-foot">
          <button type="button" class="button primary" onClick={onClose}>
            {w.kept}
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={w.make} onClose={onClose}>
      <form onSubmit={make}>
        <div class="dialog-body">
          <Field label={w.name} hint={w.nameHint} dir="auto" autoComplete="off" value={name} onChange={setName} />
          <Choice
            label={w.scope}
            value={scope}
            of={SCOPES.map((value) => ({ value, text: w.scopes[value] }))}
            onChange={setScope}
          />
          <Field label={w.expiry} hint={w.expiryHint} type="date" value={expires} onChange={setExpires} />
          <Problem error={error} />
        </div>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {words.actions.cancel}
          </button>
          <button type="submit" class="button primary" disabled={isRunning}>
            {w.make}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
