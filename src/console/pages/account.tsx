/** A customer's own account: credits, limits, keys and usage. */
import { creditsFigure } from "../parts/credits.tsx";
import { Figure, Page, Section, Shown } from "../parts/page.tsx";
import { useLoaded } from "../service/load.ts";
import type { Account } from "../service/types.ts";
import type { Workspace } from "../service/workspace.ts";
import { formats, words } from "../words/index.ts";
import { KeysSection } from "./keys.tsx";
import { UsageSection } from "./usage.tsx";

export function AccountPage({ workspace }: { workspace: Workspace }) {
  const account = useLoaded<Account>("/console/account");
  const w = words.account;
  return (
    <Page title={words.titles.account} lead={w.lead}>
      <Shown of={account}>
        {(value) => (
          <>
            <dl class="figures-list">
              <Figure
                label={words.credits.label}
                value={creditsFigure(value.credits)}
                note={value.credits === "unlimited" ? words.credits.unlimited : words.credits.leftNote}
              />
              <Figure label={words.overview.datasets} value={formats.number(value.datasets)} />
              <Figure label={words.overview.files} value={formats.number(value.files)} />
              <Figure label={w.since} value={<span class="figure-text">{formats.day(value.created)}</span>} />
            </dl>
            <KeysSection workspace={workspace} />
            <UsageSection workspace={workspace} />
            <Section title={w.prices} lead={w.pricesLead}>
              <dl class="pairs">
                {(["upload", "search", "query"] as const).map((name) => (
                  <div key={name}>
                    <dt>{w.price[name]}</dt>
                    <dd>{words.credits.amount(value.prices[name])}</dd>
                  </div>
                ))}
              </dl>
            </Section>
            <Section title={words.limits.title} lead={words.limits.ownLead}>
              <Limits account={value} />
            </Section>
          </>
        )}
      </Shown>
    </Page>
  );
}

/** What holds for a customer, by the minute. */
function Limits({ account: { effectiveRates } }: { account: Account }) {
  return (
    <dl class="pairs">
      {(["upload", "retrieval", "token", "free"] as const).map((name) => (
        <div key={name}>
          <dt>{words.limits[name]}</dt>
          <dd>{words.limits.perMinute(effectiveRates[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
