/** `lectern customer create|list|show|set|invite|remove`. They take effect in a running server at once. */
import { creditsRecord, INVITATION_DAYS } from "../access/index.ts";
import { existsSync } from "node:fs";
import type { Config } from "../options/config.ts";
import { readServerAddress } from "../data-directory/lock.ts";
import { fail, LecternError } from "../foundation/errors.ts";
import { documentsDatabasePath } from "../store/database.ts";
import { makeSignInLink } from "./console.ts";
import { commonOptions, type Command } from "./command.ts";
import { confirm, requireAnswerable, yesFlag } from "./confirm.ts";
import { formatCredits, parseCredits } from "./credits-amount.ts";
import { counted } from "./existing-dataset.ts";
import { ownRates, rateFlags, ratesText, readRates } from "./customer-rates.ts";
import { showCustomer } from "./customer-show.ts";
import { documentsOfCustomer } from "./models/census.ts";
import { noteChange } from "./operator-audit.ts";
import { openForCommand } from "./open-appliance.ts";
import { note, print, printJson, printTable, visible } from "./terminal.ts";
import { unknownCustomer, withAccess } from "./with-access.ts";

const DAY = 86_400_000;

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
    noteChange(config, "customer.create", { customer: customer.customerId, credits: creditsRecord(credits) });
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
      rates: ownRates(customer.rates),
      created: new Date(customer.created).toISOString(),
    }));
    if (json) printJson(records);
    else if (records.length === 0) print("There are no customers yet. Make one with `lectern customer create ID`.");
    else
      printTable(
        ["CUSTOMER", "CREDITS", "A MINUTE", "CREATED"],
        records.map((record) => [
          visible(record.customerId),
          String(record.credits),
          ratesText(record.rates) || "-",
          record.created,
        ]),
      );
    return 0;
  },
};

const set: Command = {
  name: "customer set",
  summary: "Changes a customer: its balance, and how much it may do a minute where that is not what all may.",
  usage: "ID [--credits N|unlimited] [--rate-upload N|default] …",
  positionals: { minimum: 1, maximum: 1 },
  flags: {
    credits: { value: "N|unlimited", sentence: "Credits it has from now on." },
    ...rateFlags,
  },
  options: commonOptions,
  async run({ config, positionals, flags, json }) {
    const customerId = positionals[0]!;
    const credits = flags.credits === undefined ? undefined : readCredits(flags.credits);
    const rates = readRates(flags);
    if (credits === undefined && Object.keys(rates).length === 0)
      throw fail("USAGE", { reason: "Nothing to change is named. `lectern customer set --help` shows what there is." });
    const changed = await withAccess(config, (access) => {
      if (!access.customer(customerId)) throw unknownCustomer(customerId);
      if (credits !== undefined) access.setCredits(customerId, credits);
      if (Object.keys(rates).length > 0) access.setRates(customerId, rates);
      return access.customer(customerId)!;
    });
    noteChange(config, "customer.set", {
      customer: customerId,
      ...(credits !== undefined && { credits: creditsRecord(credits) }),
      ...(Object.keys(rates).length > 0 && { rates }),
    });
    const record = {
      customerId,
      credits: creditsRecord(changed.balanceThousandths),
      rates: ownRates(changed.rates),
    };
    if (json) printJson(record);
    else {
      const own = ratesText(record.rates);
      print(
        `Customer ${visible(customerId)} now has ${formatCredits(changed.balanceThousandths)} credits${own && `, and limits of its own a minute: ${own}`}.`,
      );
    }
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
    noteChange(config, "customer.remove", { customer: customerId });
    // A running server looks for removed customers by itself, twice a second.
    if (readServerAddress(config.dataDirectory) === null) await deleteDocuments(config);
    if (json) printJson({ customerId, removed: true });
    else print(`Customer ${visible(customerId)} is removed.`);
    return 0;
  },
};

const invite: Command = {
  name: "customer invite",
  summary: "Shows a link by which a customer signs in to the web console, once.",
  usage: "ID [--days N]",
  positionals: { minimum: 1, maximum: 1 },
  flags: {
    days: {
      value: "N",
      sentence: `Days after which the link expires, ${INVITATION_DAYS.minimum} to ${INVITATION_DAYS.maximum}; default ${INVITATION_DAYS.usual}.`,
    },
  },
  options: [...commonOptions, "publicUrl"],
  async run({ config, positionals, flags, json }) {
    const customerId = positionals[0]!;
    const { minimum, maximum, usual } = INVITATION_DAYS;
    const days = Number(flags.days ?? usual);
    if (!Number.isSafeInteger(days) || days < minimum || days > maximum)
      throw fail("USAGE", { reason: `--days is a whole number from ${minimum} to ${maximum}.` });
    const made = await withAccess(config, (access) => {
      if (!access.customer(customerId)) throw unknownCustomer(customerId);
      return makeSignInLink(config, access.console, customerId, days * DAY);
    });
    noteChange(config, "console.link", { customer: customerId, expires: made.expires });
    if (json) printJson(made);
    else print(made.link);
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

export const customerCommands: readonly Command[] = [create, list, showCustomer, set, invite, remove];
