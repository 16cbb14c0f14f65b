/** Opens `access.db` and the secret, and puts customers, keys, tokens, rates and credits behind one interface. */
import { join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { checkpoint, checkpointAndClose, type WritableOptions } from "../store/database.ts";
import { openMigrated } from "../store/migrate.ts";
import { withReserve } from "../store/reserve-file.ts";
import { prepareOperatorChanges, readChangeNote, refuseLost } from "./changes.ts";
import { prepareConsole } from "./console.ts";
import { prepareCredits } from "./credits.ts";
import { noSuchCustomer, prepareCustomers } from "./customers.ts";
import type { Access, AccessOptions, Caller } from "./types.ts";
import { prepareKeys, type ValidKey } from "./keys.ts";
import { createLinks } from "./links.ts";
import { accessMigrations } from "./migrations.ts";
import { prepareRates } from "./rates.ts";
import { deriveKey, loadSecret } from "./secret.ts";
import { createTokens } from "./tokens.ts";

/** As OWASP's password storage advice has it, at a multiple of its least memory (KiB). */
const PASSWORD_HASH = { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 } as const;
/** Milliseconds between two notes of a key's use. */
const USE_NOTED_EVERY = 60_000;

/** Rows are tiny and every request writes two pages to the log: small pages keep the log small. */
export const PAGE_BYTES = 1_024;

export function accessDatabasePath(dataDirectory: string): string {
  return join(dataDirectory, "access.db");
}

/**
 * Makes `access.db` and `secret` when they are not there. Throws OPERATION_FAILED when either cannot be used, or `access.db` is older
 * than what is noted beside it, unless `acceptLoss`.
 */
export function openAccess(options: AccessOptions): Access {
  const now = options.now ?? Date.now;
  const settings: WritableOptions = {
    synchronous: "NORMAL",
    pageSize: PAGE_BYTES,
    checkpoints: options.checkpoints !== "elsewhere",
  };
  const path = accessDatabasePath(options.dataDirectory);
  const noted = readChangeNote(options.dataDirectory);
  if (!options.acceptLoss) refuseLost(path, noted);
  const database = openMigrated(path, settings, accessMigrations);
  const db = drizzle(database);
  const changes = prepareOperatorChanges(options.dataDirectory, db);
  const lostChanges = changes.compare(noted, options.acceptLoss ?? false);
  const secret = loadSecret(options.dataDirectory, database);
  const customers = prepareCustomers(database, db);
  const keys = prepareKeys(db);
  const rates = prepareRates(db, options.limits);
  const credits = prepareCredits(database, db);
  const accounts = prepareConsole(database, db, customers.incarnation);
  const tokens = createTokens(
    (purpose, incarnation) => deriveKey(secret, purpose, incarnation),
    customers.incarnation,
    now,
  );

  /** Everything that is written here must be, on a full disk too. */
  const write = <Result>(change: () => Result): Result => withReserve(options.dataDirectory, change);

  const counted = database.transaction((change: () => unknown) => {
    const result = change();
    changes.add();
    return result;
  });

  /** What an operator changes survives power loss; metering, which is not worth an fsync each, need only survive a crash. */
  function durably<Result>(change: () => Result): Result {
    database.run("PRAGMA synchronous = FULL");
    try {
      const result = write(() => counted.immediate(change) as Result);
      tryToNote();
      return result;
    } finally {
      database.run("PRAGMA synchronous = NORMAL");
    }
  }

  /** What was changed is so, noted or not: a key must be shown, for one. Whoever opens the database next notes it, or says why that cannot be. */
  function tryToNote(): void {
    try {
      changes.note();
    } catch {}
  }

  /** To about a minute: a key that is used all the time shall not write all the time. */
  function noteUse({ keyId, lastUsed }: ValidKey): void {
    const at = now();
    if (lastUsed !== null && Math.abs(at - lastUsed) < USE_NOTED_EVERY) return;
    try {
      write(() => keys.noteUse(keyId, at));
    } catch {
      // It is only shown to the operator: nobody is kept out for it, on a full disk for instance.
    }
  }

  async function identify(credential: string): Promise<Caller | null> {
    const key = keys.find(credential, now());
    if (key !== null) {
      noteUse(key);
      const { keyId, customerId, scope } = key;
      return { customerId, datasetId: null, operator: false, expires: null, keyId, scope };
    }
    const claims = await tokens.read(credential);
    if (claims === null) return null;
    const { expiresAt, ...caller } = claims;
    return { ...caller, operator: caller.datasetId === null, expires: expiresAt * 1000, keyId: null };
  }

  return {
    lostChanges,

    createCustomer: (customerId, thousandths) => durably(() => customers.create(customerId, thousandths, now())),
    customer: customers.find,
    listCustomers: customers.list,
    removeCustomer: (customerId) => durably(() => customers.remove(customerId, now())),
    removedCustomers: customers.removed,
    forgetCustomer: (customerId) => durably(() => customers.forget(customerId)),

    createApiKey(customerId, name, limits = {}) {
      if (!customers.find(customerId)) throw noSuchCustomer(customerId);
      return durably(() => keys.create(customerId, name, now(), limits));
    },
    listApiKeys: keys.list,
    revokeApiKey: (keyId) => durably(() => keys.revoke(keyId, now())),

    createToken: tokens.create,
    createOperatorToken: tokens.createOperator,
    identify,

    take: (customerId, bucket, count, at = now()) => write(() => rates.take(customerId, bucket, count, at)),

    charge: (customerId, thousandths, operation, { pendingId } = {}) =>
      write(() => credits.charge(customerId, thousandths, operation, pendingId ?? null, now())),
    checkBalance: credits.check,
    settle: (pendingId) => write(() => credits.settle(pendingId)),
    refund: (customerId, thousandths, operation, pendingId) =>
      write(() => credits.refund(customerId, thousandths, operation, pendingId ?? null, now())),
    pendingCharges: credits.pending,
    balance(customerId) {
      const customer = customers.find(customerId);
      if (!customer) throw noSuchCustomer(customerId);
      return customer.balanceThousandths;
    },
    addCredits: (customerId, thousandths) => durably(() => customers.addCredits(customerId, thousandths)),
    setCredits: (customerId, thousandths) => durably(() => customers.setCredits(customerId, thousandths)),
    usage: credits.usage,
    usageSince: credits.usageSince,
    setRates: (customerId, own) => durably(() => customers.setRates(customerId, own)),

    console: {
      hasPassword: () => accounts.passwordHash() !== null,
      async setPassword(password, kept) {
        const hash = await Bun.password.hash(password, PASSWORD_HASH);
        durably(() => accounts.setPassword(hash, now(), kept));
      },
      async checkPassword(password) {
        const hash = accounts.passwordHash();
        return hash !== null && (await Bun.password.verify(password, hash));
      },
      createLink(customerId, expires) {
        if (customerId !== null && !customers.find(customerId)) throw noSuchCustomer(customerId);
        return durably(() => accounts.createLink(customerId, expires));
      },
      useLink: (secret) => durably(() => accounts.useLink(secret, now())),
      openSession: (session) => write(() => accounts.open(session, now())),
      session: (secret) => accounts.find(secret, now()),
      closeSession: (secret) => durably(() => accounts.close(secret)),
    },

    ...createLinks(deriveKey(secret, "download link")),

    checkpoint: () => checkpoint(database),
    // Where a server runs beside this process, its own checkpoints go on and need no help that holds it up.
    close: () => (options.checkpoints === "elsewhere" ? checkpointAndClose(database) : database.close()),
  };
}
