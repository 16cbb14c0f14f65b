/** What was used, day by day. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Choice } from "../parts/field.tsx";
import { Page, Section, Shown } from "../parts/page.tsx";
import { UsageChart } from "../parts/usage-chart.tsx";
import { useLoaded } from "../service/load.ts";
import type { Usage } from "../service/types.ts";
import { ofCustomer, type Workspace } from "../service/workspace.ts";
import { queryWith } from "../text/address.ts";
import type { UsageKey } from "../text/usage-series.ts";
import { words } from "../words/index.ts";

const PERIODS = ["7", "30", "90"] as const;
type Period = (typeof PERIODS)[number];

/** Of all customers. */
export function UsagePage() {
  const [by, setBy] = useState<UsageKey>("customerId");
  return (
    <Page title={words.titles.usage} lead={words.usage.lead}>
      <UsageChoice
        customerId={null}
        by={by}
        more={
          <Choice
            label={words.usage.by}
            value={by}
            of={[
              { value: "customerId", text: words.usage.byCustomer },
              { value: "operation", text: words.usage.byOperation },
            ]}
            onChange={setBy}
          />
        }
      />
    </Page>
  );
}

/** Of one customer. */
export function UsageSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title={words.titles.usage} lead={words.usage.ownLead}>
      <UsageChoice customerId={ofCustomer(workspace).customerId ?? null} by="operation" more={null} />
    </Section>
  );
}

function UsageChoice({ customerId, by, more }: { customerId: string | null; by: UsageKey; more: ComponentChildren }) {
  const [days, setDays] = useState<Period>("30");
  const usage = useLoaded<Usage>(`/console/usage${queryWith({ customerId, days })}`);
  return (
    <>
      <div class="field-grid">
        <Choice
          label={words.usage.period}
          value={days}
          of={PERIODS.map((value) => ({ value, text: words.usage.lastDays(Number(value)) }))}
          onChange={setDays}
        />
        {more}
      </div>
      <Shown of={usage}>{(value) => <UsageChart usage={value} by={by} />}</Shown>
    </>
  );
}
