/** `lectern key create|list|revoke`: API keys. They take effect in a running server at once. */
import { fail } from "../foundation/errors.ts";
import { commonOptions, type Command } from "./command.ts";
import { confirm, requireAnswerable, yesFlag } from "./confirm.ts";
import { note, print, printJson, printTable, visible } from "./terminal.ts";
import { unknownCustomer, withAccess } from "./with-access.ts";

const create: Command = {
  name: "key create",
  summary: "Makes an API key and shows it, this once: only its fingerprint is kept.",
  usage: "--customer ID [--name LABEL]",
  positionals: { minimum: 0, maximum: 0 },
  flags: {
    customer: { value: "ID", sentence: "Whose key it is.", required: true },
    name: { value: "LABEL", sentence: "A label for `key list`." },
  },
  options: commonOptions,
  async run({ config, flags }) {
    const customerId = flags.customer!;
    const created = await withAccess(config, (access) => {
      if (!access.customer(customerId)) throw unknownCustomer(customerId);
      return access.createApiKey(customerId, flags.name ?? null);
    });
    printJson({ customerId: created.customerId, keyId: created.keyId, apiKey: created.apiKey });
    if (process.stdout.isTTY) note("Keep the key now: it cannot be shown again.");
    return 0;
  },
};

const list: Command = {
  name: "key list",
  summary: "Lists API keys, never the keys themselves.",
  usage: "[--customer ID]",
  positionals: { minimum: 0, maximum: 0 },
  flags: { customer: { value: "ID", sentence: "Only this customer's." } },
  options: commonOptions,
  async run({ config, flags, json }) {
    const keys = await withAccess(config, (access) => access.listApiKeys(flags.customer));
    const records = keys.map((key) => ({
      keyId: key.keyId,
      customerId: key.customerId,
      name: key.name,
      created: new Date(key.created).toISOString(),
      revoked: key.revoked === null ? null : new Date(key.revoked).toISOString(),
    }));
    if (json) printJson(records);
    else if (records.length === 0) print("There are no keys yet.");
    else
      printTable(
        ["KEY ID", "CUSTOMER", "NAME", "CREATED", "REVOKED"],
        records.map((key) => [
          key.keyId,
          visible(key.customerId),
          visible(key.name ?? "-"),
          key.created,
          key.revoked ?? "-",
        ]),
      );
    return 0;
  },
};

const revoke: Command = {
  name: "key revoke",
  summary: "Ends an API key for good. Frontend tokens made with it live until they expire.",
  usage: "KEYID",
  positionals: { minimum: 1, maximum: 1 },
  flags: yesFlag,
  options: commonOptions,
  async run({ config, positionals, flags, json }) {
    requireAnswerable(flags);
    const keyId = positionals[0]!;
    const keys = await withAccess(config, (access) => access.listApiKeys());
    const key = keys.find((candidate) => candidate.keyId === keyId && candidate.revoked === null);
    if (key === undefined) throw notRevocable(keyId);
    await confirm(
      `Key ${keyId}${key.name === null ? "" : ` (${key.name})`} belongs to customer ${key.customerId}.`,
      flags,
    );
    if (!(await withAccess(config, (access) => access.revokeApiKey(keyId)))) throw notRevocable(keyId);
    if (json) printJson({ keyId, revoked: true });
    else print(`Key ${keyId} is revoked.`);
    return 0;
  },
};

const notRevocable = (keyId: string): Error =>
  fail("OPERATION_FAILED", {
    reason: `There is no key "${keyId}" that could be revoked. \`lectern key list\` shows them.`,
  });

export const keyCommands: readonly Command[] = [create, list, revoke];
