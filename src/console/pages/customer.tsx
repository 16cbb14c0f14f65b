/** One customer, as the operator looks after them. */
import { useState } from "preact/hooks";
import { announce } from "../parts/announcements.tsx";
import { CreditsField, creditsFigure, readCredits } from "../parts/credits.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { SecretText } from "../parts/copy.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icons.tsx";
import { Link, goTo } from "../parts/links.tsx";
import { Figure, Page, Problem, Section, Shown } from "../parts/page.tsx";
import { useTask } from "../parts/task.ts";
import { useLoaded } from "../service/load.ts";
import { request } from "../service/requests.ts";
import type { Account, Rates } from "../service/types.ts";
import type { Workspace } from "../service/workspace.ts";
import { fragmentTo, queryWith } from "../text/address.ts";
import { formats, words } from "../words/index.ts";
import { DatasetPages } from "./dataset-pages.tsx";
import { KeysSection } from "./keys.tsx";
import { NowherePage } from "./nowhere.tsx";
import { PlaygroundPage } from "./playground/playground.tsx";
import { UsageSection } from "./usage.tsx";

export function CustomerPage({ customerId, path }: { customerId: string; path: readonly string[] }) {
  const base = ["customers", customerId];
  const workspace: Workspace = { customerId, acting: customerId, base, mayChange: true };
  const [first = "", ...rest] = path;
  const tabs = [
    { name: "", text: words.titles.account },
    { name: "datasets", text: words.titles.datasets },
    { name: "search", text: words.titles.playground },
  ];
  return (
    <>
      <nav class="tabs" aria-label={words.customers.tabs(customerId)}>
        <span class="tabs-name">
          <Link to={["customers"]}>{words.titles.customers}</Link>
          <span aria-hidden="true">/</span>
          <bdi>{customerId}</bdi>
        </span>
        <ul>
          {tabs.map(({ name, text }) => (
            <li key={name}>
              <a
                href={fragmentTo(...base, ...(name === "" ? [] : [name]))}
                aria-current={first === name ? "page" : undefined}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {page()}
    </>
  );

  function page() {
    if (first === "") return <CustomerAccount workspace={workspace} />;
    if (first === "datasets") return <DatasetPages workspace={workspace} path={rest} />;
    if (first === "search") return <PlaygroundPage workspace={workspace} datasetId={rest[0] ?? null} />;
    return <NowherePage />;
  }
}

function CustomerAccount({ workspace }: { workspace: Workspace }) {
  const { customerId } = workspace;
  const account = useLoaded<Account>(`/console/account${queryWith({ customerId })}`);
  const [isRemoving, setRemoving] = useState(false);
  const w = words.customers;
  const path = `/console/customers/${encodeURIComponent(customerId)}`;
  return (
    <Page title={customerId} lead={account.value && w.since(formats.day(account.value.created))}>
      <Shown of={account}>
        {(value) => (
          <>
            <dl class="figures-list">
              <Figure
                label={words.credits.label}
                value={creditsFigure(value.credits)}
                note={value.credits === "unlimited" ? words.credits.unlimited : words.credits.leftNote}
              />
              <Figure
                label={words.overview.datasets}
                value={formats.number(value.datasets)}
                note={<Link to={[...workspace.base, "datasets"]}>{words.datasets.show}</Link>}
              />
              <Figure label={words.overview.files} value={formats.number(value.files)} />
            </dl>
            <CreditsForm path={path} account={value} onChange={account.reload} />
            <Invitation path={path} />
            <KeysSection workspace={workspace} />
            <RatesForm path={path} account={value} onChange={account.reload} />
            <UsageSection workspace={workspace} />
            <Section title={w.remove} lead={w.removeLead}>
              <button type="button" class="button danger" onClick={() => setRemoving(true)}>
                <Icon name="remove" />
                {w.remove}
              </button>
            </Section>
          </>
        )}
      </Shown>
      {isRemoving && (
        <Confirm
          title={w.removeTitle(customerId)}
          action={w.remove}
          typed={{ label: w.removeType(customerId), text: customerId }}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await request("DELETE", path, { json: { confirm: customerId } });
            announce(w.removed(customerId));
            goTo("customers");
          }}
        >
          <p>{account.value && w.removeWhat(account.value.datasets, account.value.files)}</p>
        </Confirm>
      )}
    </Page>
  );
}

interface FormProps {
  readonly path: string;
  readonly account: Account;
  readonly onChange: () => void;
}

function CreditsForm({ path, account: { credits }, onChange }: FormProps) {
  const [amount, setAmount] = useState("");
  const { run, isRunning, error } = useTask();
  const w = words.credits;
  const given = readCredits(amount);
  const change = (json: unknown, done: string): void =>
    void run(async () => {
      await request("PATCH", path, { json });
      setAmount("");
      announce(done);
      onChange();
    });
  return (
    <Section title={w.change} lead={w.changeLead}>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (given !== null) change({ credits: given }, w.changed);
        }}
      >
        <CreditsField value={amount} onChange={setAmount} />
        <div class="actions">
          <button
            type="button"
            class="button"
            disabled={isRunning || typeof given !== "number" || credits === "unlimited"}
            onClick={() => change({ addCredits: given }, w.added)}
          >
            {w.add}
          </button>
          <button type="submit" class="button" disabled={isRunning || given === null}>
            {given === "unlimited" ? w.setUnlimited : w.set}
          </button>
        </div>
      </form>
      <Problem error={error} />
    </Section>
  );
}

function Invitation({ path }: { path: string }) {
  const [days, setDays] = useState("7");
  const [made, setMade] = useState<{ link: string; expires: string } | null>(null);
  const { run, isRunning, error } = useTask();
  const w = words.invitation;
  return (
    <Section title={w.title} lead={w.lead}>
      {made === null ? (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            void run(async () =>
              setMade(await request("POST", `${path}/invitation`, { json: { days: Number(days) } })),
            );
          }}
        >
          <Field label={w.days} type="number" min={1} step={1} required value={days} onChange={setDays} />
          <div class="actions">
            <button type="submit" class="button" disabled={isRunning}>
              {w.action}
            </button>
          </div>
        </form>
      ) : (
        <div class="notice is-good" role="status">
          <SecretText label={w.link} text={made.link} />
          <p class="soft">{w.once(formats.moment(made.expires))}</p>
        </div>
      )}
      <Problem error={error} />
    </Section>
  );
}

const RATES = ["upload", "retrieval", "token", "free"] as const satisfies readonly (keyof Rates<number>)[];

function RatesForm({ path, account, onChange }: FormProps) {
  const [typed, setTyped] = useState<Record<keyof Rates<number>, string>>(() => typedRates(account));
  const { run, isRunning, error } = useTask();
  const w = words.limits;
  const save = (event: Event): void => {
    event.preventDefault();
    void run(async () => {
      const rates = Object.fromEntries(
        RATES.map((name) => [name, typed[name].trim() === "" ? null : Number(typed[name])]),
      );
      await request("PATCH", path, { json: { rates } });
      announce(w.changed);
      onChange();
    });
  };
  return (
    <Section title={w.title} lead={w.lead}>
      <form onSubmit={save}>
        <div class="field-grid">
          {RATES.map((name) => (
            <Field
              key={name}
              label={w[name]}
              type="number"
              min={0}
              step={1}
              placeholder={w.standard(account.rates[name] === null ? account.effectiveRates[name] : null)}
              value={typed[name]}
              onChange={(value) => setTyped({ ...typed, [name]: value })}
            />
          ))}
        </div>
        <Problem error={error} />
        <button type="submit" class="button" disabled={isRunning}>
          {w.save}
        </button>
      </form>
    </Section>
  );
}

function typedRates({ rates }: Account): Record<keyof Rates<number>, string> {
  return Object.fromEntries(RATES.map((name) => [name, rates[name] === null ? "" : String(rates[name])])) as Record<
    keyof Rates<number>,
    string
  >;
}
