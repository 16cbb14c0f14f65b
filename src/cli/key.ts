/** `lectern key create|list|revoke`: API keys. They take effect in a running server at once. */
import { keyRecord, SCOPES, type Scope } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { dateSpan, isoTime } from "../foundation/iso-date.ts";
import { commonOptions, type Command } from "./command.ts";
import { confirm, requireAnswerable, yesFlag } from "./confirm.ts";
import { noteChange } from "./operator-audit.ts";
import { note, print, printJson, printTable, visible } from "./terminal.ts";
import { unknownCustomer, withAccess } from "./with-access.ts";

const create: Command = {
  name: "key create",
  summary: "Makes an API key and shows it, this once: only its fingerprint is kept.",
  usage: "--customer ID [--name LABEL] [--scope read|write|all] [--expires 90d]",
  positionals: { minimum: 0, maximum: 0 },
  flags: {
    customer: { value: "ID", sentence: "Whose key it is.", required: true },
    name: { value: "LABEL", sentence: "A label for `key list`." },
    scope: {
      value: "SCOPE",
      sentence: "read: searches, queries, listings, downloads; write: uploads, deletions, listings; default all.",
    },
    expires: {
      value: "WHEN",
      sentence: "When it ends: in 90d, 12h or 30min, or a date such as 2027-01-31; default never.",
    },
  },
  options: commonOptions,
  async run({ config, flags }) {
    const customerId = flags.customer!;
    const limits = { scope: readScope(flags.scope), expires: readExpiry(flags.expires, Date.now()) };
    const created = await withAccess(config, (access) => {
      if (!access.customer(customerId)) throw unknownCustomer(customerId);
      return access.createApiKey(customerId, flags.name ?? null, limits);
    });
    const { keyId, customerId: customer } = created;
    const { scope, expires } = limits;
    noteChange(config, "key.create", { customer, key: keyId, scope, expires: isoTime(expires) });
    printJson({
      customerId: created.customerId,
      keyId: created.keyId,
      apiKey: created.apiKey,
      ...(limits.scope !== "all" && { scope: limits.scope }),
      ...(limits.expires !== null && { expires: isoTime(limits.expires) }),
    });
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
    const records = keys.map(keyRecord);
    if (json) printJson(records);
    else if (records.length === 0) print("There are no keys yet.");
    else
      printTable(
        ["KEY ID", "CUSTOMER", "NAME", "SCOPE", "CREATED", "LAST USED", "ENDS"],
        records.map((key) => [
          key.keyId,
          visible(key.customerId),
          visible(key.name ?? "-"),
          key.scope,
          key.created,
          key.lastUsed ?? "-",
          key.revoked === null ? (key.expires ?? "-") : `revoked ${key.revoked}`,
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
    noteChange(config, "key.revoke", { customer: key.customerId, key: keyId });
    if (json) printJson({ keyId, revoked: true });
    else print(`Key ${keyId} is revoked.`);
    return 0;
  },
};

function readScope(text: string | undefined): Scope {
  const scope = SCOPES.find((one) => one === (text ?? "all"));
  if (scope === undefined)
    throw fail("USAGE", { reason: `--scope must be one of ${SCOPES.join(", ")}, not "${text}".` });
  return scope;
}

const DURATION = /^(\d{1,6})\s*(min|h|d)$/;
const MILLISECONDS = { min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds since 1970; null: never. A date ends with its day. Throws USAGE for what is neither, and for what is past. */
function readExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const [, count, unit] = DURATION.exec(text) ?? [];
  const date = dateSpan(text);
  if (unit === undefined && date === null)
    throw fail("USAGE", { reason: `--expires must be such as 90d, 12h, 30min or 2027-01-31, not "${text}".` });
  const moment =
    unit === undefined
      ? (date!.end ?? date!.start)
      : now + Number(count) * MILLISECONDS[unit as keyof typeof MILLISECONDS];
  if (moment <= now)
    throw fail("USAGE", { reason: `--expires ${text} is past already: the key would never be good for anything.` });
  return moment;
}

const notRevocable = (keyId: string): Error =>
  fail("OPERATION_FAILED", {
    reason: `There is no key "${keyId}" that could be revoked. \`lectern key list\` shows them.`,
  });

export const keyCommands: readonly Command[] = [create, list, revoke];
