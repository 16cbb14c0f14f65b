/** `lectern credits add|show`: balances. */
import { creditsRecord } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { commonOptions, type Command } from "./command.ts";
import { formatCredits, parseCredits } from "./credits-amount.ts";
import { noteChange } from "./operator-audit.ts";
import { print, printJson } from "./terminal.ts";
import { unknownCustomer, withAccess } from "./with-access.ts";

const customerFlag = { customer: { value: "ID", sentence: "Whose balance.", required: true } } as const;

const add: Command = {
  name: "credits add",
  summary: "Adds credits to a balance.",
  usage: "--customer ID AMOUNT",
  positionals: { minimum: 1, maximum: 1 },
  flags: customerFlag,
  options: commonOptions,
  async run({ config, positionals, flags, json }) {
    const customerId = flags.customer!;
    const amount = parseCredits(positionals[0]!);
    if (amount === 0) throw fail("USAGE", { reason: "The amount must be more than 0." });
    const balance = await withAccess(config, (access) => {
      if (!access.customer(customerId)) throw unknownCustomer(customerId);
      return access.addCredits(customerId, amount);
    });
    noteChange(config, "credits.add", {
      customer: customerId,
      credits: creditsRecord(amount),
      balance: creditsRecord(balance),
    });
    if (json) printJson({ customerId, credits: creditsRecord(balance) });
    else
      print(
        balance === null
          ? `Customer ${customerId} has unlimited credits already.`
          : `Customer ${customerId} now has ${formatCredits(balance)} credits.`,
      );
    return 0;
  },
};

const show: Command = {
  name: "credits show",
  summary: "Shows a balance and what was used, by day.",
  usage: "--customer ID",
  positionals: { minimum: 0, maximum: 0 },
  flags: customerFlag,
  options: commonOptions,
  async run({ config, flags, json }) {
    const customerId = flags.customer!;
    const { balance, usage } = await withAccess(config, (access) => {
      if (!access.customer(customerId)) throw unknownCustomer(customerId);
      return { balance: access.balance(customerId), usage: access.usage(customerId) };
    });
    if (json) {
      printJson({
        customerId,
        credits: creditsRecord(balance),
        usage: usage.map(({ day, operation, count, thousandths }) => ({
          day,
          operation,
          count,
          credits: thousandths / 1000,
        })),
      });
      return 0;
    }
    print(`Customer ${customerId} has ${formatCredits(balance)} credits.`);
    for (const entry of usage)
      print(
        `  ${entry.day}  ${entry.operation.padEnd(8)} ${String(entry.count).padStart(8)} times  ${formatCredits(entry.thousandths).padStart(10)} credits`,
      );
    return 0;
  },
};

export const creditsCommands: readonly Command[] = [add, show];
