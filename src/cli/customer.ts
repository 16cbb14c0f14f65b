/** `lectern customer create|list|set|remove`. They take effect in a running server at once. */
import { existsSync } from "node:fs";
import type { Config } from "../options/config.ts";
import { readServerAddress } from "../data-directory/lock.ts";
import { LecternError } from "../foundation/errors.ts";
import { documentsDatabasePath } from "../store/database.ts";
import { commonOptions, type Command } from "./command.ts";
import { confirm, requireAnswerable, yesFlag } from "./confirm.ts";
import { creditsRecord, formatCredits, parseCredits } from "./credits-amount.ts";
import { counted } from "./existing-dataset.ts";
import { documentsOfCustomer } from "./models/census.ts";
import { openForCommand } from "./open-appliance.ts";
import { note, print, printJson, printTable, visible } from "./terminal.ts";
import { unknownCustomer, withAccess } from "./with-access.ts";

const create: Command = {
  name: "customer create",
  summary: "Makes a customer. Its documents, keys, limits and credits are its own.",
  usage: "ID [--credits N|unlimited]",
  positionals: { minimum: 1, maximum: 1 },
  flags: {
    credits: {
      value: "N|unlimited",
      sentence: "Credits to start with; default 0. A file costs 1, a search or query 0.1.",
    },
  },
  options: commonOptions,
  async run({ config, positionals, flags, json }) {
    const credits = readCredits(flags.credits ?? "0");
    const customer = await withAccess(config, (access) => access.createCustomer(positionals[0]!, credits), true);
    if (json) printJson({ customerId: customer.customerId, credits: creditsRecord(credits) });
    else
      print(
        `Customer ${visible(customer.customerId)} is made, with ${formatCredits(credits)} credits. Next: lectern key create --customer ${visible(customer.customerId)}`,
      );
    return 0;
  },
};

const list: Command = {
  name: "customer list",
  summary: "Lists the customers.",
  usage: "",
  positionals: { minimum: 0, maximum: 0 },
  flags: {},
  options: commonOptions,
  async run({ config, json }) {
    const customers = await withAccess(config, (access) => access.listCustomers());
    const records = customers.map((customer) => ({
      customerId: customer.customerId,
      credits: creditsRecord(customer.balanceThousandths),
      created: new Date(customer.created).toISOString(),
    }));
    if (json) printJson(records);
    else if (records.length === 0) print("There are no customers yet. Make one with `lectern customer create ID`.");
    else
      printTable(
        ["CUSTOMER", "CREDITS", "CREATED"],
        records.map((record) => [visible(record.customerId), String(record.credits), record.created]),
      );
    return 0;
  },
};

const set: Command = {
  name: "customer set",
  summary: "Changes a customer: sets its balance, or makes its credits unlimited.",
  usage: "ID --credits N|unlimited",
  positionals: { minimum: 1, maximum: 1 },
  flags: { credits: { value: "N|unlimited", sentence: "Credits it has from now on.", required: true } },
  options: commonOptions,
  async run({ config, positionals, flags, json }) {
    const customerId = positionals[0]!;
    const credits = readCredits(flags.credits!);
    await withAccess(config, (access) => {
      if (!access.customer(customerId)) throw unknownCustomer(customerId);
      access.setCredits(customerId, credits);
    });
    if (json) printJson({ customerId, credits: creditsRecord(credits) });
    else print(`Customer ${visible(customerId)} now has ${formatCredits(credits)} credits.`);
    return 0;
  },
};

/** Thousandths; null: unlimited. */
const readCredits = (written: string): number | null => (written === "unlimited" ? null : parseCredits(written));

const remove: Command = {
  name: "customer remove",
  summary: "Removes a customer: its keys and tokens end at once, and its documents are deleted.",
  usage: "ID",
  positionals: { minimum: 1, maximum: 1 },
  flags: yesFlag,
  options: [...commonOptions, "model"],
  async run({ config, positionals, flags, json }) {
    requireAnswerable(flags);
    const customerId = positionals[0]!;
    const keys = await withAccess(config, (access) => {
      if (!access.customer(customerId)) throw unknownCustomer(customerId);
      return access.listApiKeys(customerId).filter(({ revoked }) => revoked === null).length;
    });
    const { datasets, files } = documentsOfCustomer(config.dataDirectory, customerId);
    await confirm(
      `Customer ${customerId} has ${counted(keys, "key")} and ${counted(files, "file")} in ${counted(datasets, "dataset")}.`,
      flags,
    );
    if (!(await withAccess(config, (access) => access.removeCustomer(customerId)))) throw unknownCustomer(customerId);
    // A running server looks for removed customers by itself, twice a second.
    if (readServerAddress(config.dataDirectory) === null) await deleteDocuments(config);
    if (json) printJson({ customerId, removed: true });
    else print(`Customer ${visible(customerId)} is removed.`);
    return 0;
  },
};

async function deleteDocuments(config: Config): Promise<void> {
  if (!existsSync(documentsDatabasePath(config.dataDirectory))) return;
  const { finishCustomerRemovals } = await import("../operations/recover.ts");
  try {
    const appliance = await openForCommand(config);
    try {
      await finishCustomerRemovals(appliance);
    } finally {
      await appliance.close();
    }
  } catch (error) {
    if (!(error instanceof LecternError)) throw error;
    note(`The documents will be deleted when the next server starts. Now they could not be: ${error.message}`);
  }
}

export const customerCommands: readonly Command[] = [create, list, set, remove];
