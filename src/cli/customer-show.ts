/** `lectern customer show`: one customer, with what is theirs. */
import { creditsRecord, keyRecord, keyState, type KeyState } from "../access/index.ts";
import { commonOptions, type Command } from "./command.ts";
import { ownRates, ratesText } from "./customer-rates.ts";
import { counted } from "./existing-dataset.ts";
import { documentsOfCustomer, type CustomerDocuments } from "./models/census.ts";
import { print, printJson, printTable, visible } from "./terminal.ts";
import { unknownCustomer, withAccess } from "./with-access.ts";

export const showCustomer: Command = {
  name: "customer show",
  summary: "Shows a customer: its credits, its own limits, its keys (never the keys themselves), and what it holds.",
  usage: "ID",
  positionals: { minimum: 1, maximum: 1 },
  flags: {},
  options: commonOptions,
  async run({ config, positionals, json }) {
    const customerId = positionals[0]!;
    const found = await withAccess(config, (access) => {
      const customer = access.customer(customerId);
      if (!customer) throw unknownCustomer(customerId);
      return { customer, keys: access.listApiKeys(customerId) };
    });
    const { datasets, files, chunks } = documentsOfCustomer(config.dataDirectory, customerId);
    const record = {
      customerId,
      created: new Date(found.customer.created).toISOString(),
      credits: creditsRecord(found.customer.balanceThousandths),
      rates: ownRates(found.customer.rates),
      datasets,
      files,
      chunks,
      keys: found.keys.map((key) => ({ ...keyRecord(key), state: keyState(key) })),
    };
    if (json) printJson(record);
    else describe(record);
    return 0;
  },
};

interface Shown extends CustomerDocuments {
  readonly customerId: string;
  readonly created: string;
  readonly credits: number | string;
  readonly rates: ReturnType<typeof ownRates>;
  readonly keys: readonly (ReturnType<typeof keyRecord> & { readonly state: KeyState })[];
}

function describe({ customerId, created, credits, rates, datasets, files, chunks, keys }: Shown): void {
  const own = ratesText(rates);
  print(`Customer ${visible(customerId)}, made ${created}`);
  print(`Credits: ${credits}`);
  print(`Limits a minute: ${own === "" ? "as for all" : `${own}; others as for all`}`);
  print(`Holds: ${counted(datasets, "dataset")}, ${counted(files, "file")}, ${counted(chunks, "passage")}`);
  print(`Keys: ${keys.length === 0 ? "none" : ""}`.trimEnd());
  if (keys.length > 0)
    printTable(
      ["KEY ID", "NAME", "SCOPE", "STATE", "LAST USED", "EXPIRES"],
      keys.map((key) => [
        key.keyId,
        visible(key.name ?? "-"),
        key.scope,
        key.state,
        key.lastUsed ?? "-",
        key.expires ?? "-",
      ]),
    );
}
