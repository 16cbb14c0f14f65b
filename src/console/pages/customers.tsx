/** All customers, and a new one. */
import { useState } from "preact/hooks";
import { announce } from "../parts/announcements.tsx";
import { CreditsField, creditsInWords, readCredits } from "../parts/credits.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icons.tsx";
import { goTo, Link } from "../parts/links.tsx";
import { Empty, Page, Problem, Shown } from "../parts/page.tsx";
import { Row, Rows } from "../parts/rows.tsx";
import { useTask } from "../parts/task.ts";
import { useLoaded } from "../service/load.ts";
import { request } from "../service/requests.ts";
import type { Customer } from "../service/types.ts";
import { formats, words } from "../words/index.ts";

/** As many as are shown at once; the rest is found by typing. */
const SHOWN = 200;

export function CustomersPage() {
  const loaded = useLoaded<{ customers: readonly Customer[] }>("/console/customers");
  const [isMaking, setMaking] = useState(false);
  const [sought, setSought] = useState("");
  const w = words.customers;
  const make = (
    <button type="button" class="button primary" onClick={() => setMaking(true)}>
      <Icon name="add" />
      {w.make}
    </button>
  );
  return (
    <Page title={words.titles.customers} lead={w.lead} actions={make}>
      <Shown of={loaded}>
        {({ customers }) => {
          if (customers.length === 0)
            return (
              <Empty icon="customers" title={w.emptyTitle} action={make}>
                {w.empty}
              </Empty>
            );
          const found = customers.filter(({ customerId }) =>
            customerId.toLowerCase().includes(sought.trim().toLowerCase()),
          );
          return (
            <>
              {customers.length > 8 && <Field label={w.seek} type="search" value={sought} onChange={setSought} />}
              <Rows label={words.titles.customers}>
                {found.slice(0, SHOWN).map((customer) => (
                  <Row
                    key={customer.customerId}
                    title={<Link to={["customers", customer.customerId]}>{customer.customerId}</Link>}
                    facts={[
                      creditsInWords(customer.credits),
                      words.counted.datasets(customer.datasets),
                      words.counted.files(customer.files),
                      words.counted.keys(customer.keys),
                      w.since(formats.day(customer.created)),
                    ]}
                  />
                ))}
              </Rows>
              {found.length > SHOWN && <p class="soft">{w.more(found.length - SHOWN)}</p>}
              {found.length === 0 && <p class="soft">{w.notFound}</p>}
            </>
          );
        }}
      </Shown>
      {isMaking && <NewCustomer onClose={() => setMaking(false)} />}
    </Page>
  );
}

function NewCustomer({ onClose }: { onClose: () => void }) {
  const [customerId, setCustomerId] = useState("");
  const [credits, setCredits] = useState("");
  const { run, isRunning, error } = useTask();
  const w = words.customers;
  const given = readCredits(credits);
  const make = (event: Event): void => {
    event.preventDefault();
    void run(async () => {
      await request("POST", "/console/customers", { json: { customerId: customerId.trim(), credits: given } });
      announce(w.made(customerId.trim()));
      onClose();
      goTo("customers", customerId.trim());
    });
  };
  return (
    <Dialog title={w.make} onClose={onClose}>
      <form onSubmit={make}>
        <div class="dialog-body">
          <Field
            label={w.id}
            hint={w.idHint}
            value={customerId}
            dir="auto"
            autoComplete="off"
            spellcheck={false}
            required
            onChange={setCustomerId}
          />
          <CreditsField value={credits} onChange={setCredits} />
          <Problem error={error} />
        </div>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {words.actions.cancel}
          </button>
          <button
            type="submit"
            class="button primary"
            disabled={isRunning || customerId.trim() === "" || given === null}
          >
            {w.make}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
