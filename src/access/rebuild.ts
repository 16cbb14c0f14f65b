/**
 * Makes `access.db` anew from one that is damaged or gone: customers, keys, balances, what is charged and the operator's password, row by row.
 * Whoever was signed in to the console signs in again.
 */
import { randomBytes } from "node:crypto";
import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { checkpointAndClose } from "../store/database.ts";
import { openMigrated } from "../store/migrate.ts";
import { INCARNATION_BYTES } from "./customers.ts";
import { accessMigrations } from "./migrations.ts";
import { PAGE_BYTES } from "./open.ts";
import { rowsInPages, type PageRow, type Value } from "./page-rows.ts";
import { apiKeys, charges, consolePassword, customers, operatorChanges, usage } from "./schema.ts";
import { SCOPES, type Scope } from "./scopes.ts";

export interface RebuiltAccess {
  readonly customers: number;
  readonly keys: number;
  /** Customers that something speaks of and that are gone: made again, without credits. */
  readonly lostCustomers: readonly string[];
  /** Keys that something speaks of and that are gone, by id. */
  readonly lostKeys: readonly string[];
}

/**
 * Makes a new database at `target` of what can be read at `source`, which is left as it is (null: there is none). `owners` are customers who
 * must be there since documents are theirs. `noted` is how many changes are noted beside the database: the new one knows of as many.
 */
export function rebuildAccess(
  source: string | null,
  target: string,
  owners: Iterable<string>,
  noted: number,
): RebuiltAccess {
  const found = source === null ? new FoundRows() : FoundRows.of(rowsInPages(source, PAGE_BYTES));
  const database = openMigrated(
    target,
    { synchronous: "FULL", pageSize: PAGE_BYTES, checkpoints: true },
    accessMigrations,
  );
  try {
    return database.transaction(() => write(database, found, [...owners], noted))();
  } finally {
    checkpointAndClose(database);
  }
}

function write(database: Database, found: FoundRows, owners: readonly string[], noted: number): RebuiltAccess {
  const db = drizzle(database);
  for (const row of found.customers.values()) db.insert(customers).values(row).run();
  for (const row of found.keys.values()) db.insert(apiKeys).values(row).onConflictDoNothing().run();
  for (const row of found.charges.values()) db.insert(charges).values(row).run();
  for (const row of found.usage.values()) db.insert(usage).values(row).run();
  if (found.password !== null) db.insert(consolePassword).values(found.password).run();
  const spokenOf = new Set([...owners, ...found.mentionedCustomers]);
  const lostCustomers = [...spokenOf].filter((id) => !found.customers.has(id)).sort();
  const created = Date.now();
  for (const id of lostCustomers) {
    const incarnation = randomBytes(INCARNATION_BYTES).toString("base64url");
    db.insert(customers).values({ id, created, incarnation, balanceThousandths: 0 }).run();
  }
  db.update(operatorChanges)
    .set({ count: Math.max(noted, found.changes) })
    .run();
  const lostKeys = [...found.mentionedKeys].filter((id) => !found.keys.has(id)).sort();
  return { customers: found.customers.size, keys: found.keys.size, lostCustomers, lostKeys };
}

type Customer = typeof customers.$inferInsert;
type Key = typeof apiKeys.$inferInsert;
type Charge = typeof charges.$inferInsert;
type Usage = typeof usage.$inferInsert;

const KEY_ID = /^key_[\w-]{12}$/;
const CHARGE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const HASH_BYTES = 32;
const PASSWORD_PREFIX = "$argon2id$";
/** Columns of a table in its first version, and now: earlier rows end with fewer. */
const CUSTOMER_COLUMNS = [4, 9] as const;
const KEY_COLUMNS = [6, 9] as const;

/** Rows that were found, told by what they hold: whose table a page is may not be known. */
class FoundRows {
  readonly customers = new Map<string, Customer>();
  readonly keys = new Map<string, Key>();
  readonly charges = new Map<string, Charge>();
  readonly usage = new Map<string, Usage>();
  readonly mentionedCustomers = new Set<string>();
  readonly mentionedKeys = new Set<string>();
  /** The operator's, for the console. */
  password: typeof consolePassword.$inferInsert | null = null;
  changes = 0;

  static of(rows: Iterable<PageRow>): FoundRows {
    const found = new FoundRows();
    for (const { isNumbered, values } of rows) {
      if (isNumbered) found.addNumbered(values);
      else found.addOther(values);
    }
    return found;
  }

  private addNumbered(values: readonly Value[]): void {
    const [first, customerId] = values;
    if (values.length === 2 && isText(first) && isCount(customerId) && first.startsWith(PASSWORD_PREFIX))
      this.addPassword(first, customerId);
    if (values.length === 1 && isCount(first)) this.changes = Math.max(this.changes, first);
    if (!isText(first) || !isText(customerId)) return;
    if (KEY_ID.test(first)) this.addKey(first, customerId, values);
    if (CHARGE_ID.test(first)) this.addCharge(first, customerId, values);
  }

  /** The last one that was set. */
  private addPassword(hash: string, changed: number): void {
    if (this.password === null || changed > this.password.changed) this.password = { hash, changed };
  }

  private addKey(id: string, customerId: string, values: readonly Value[]): void {
    const [, , name, hash, created, revoked, scope = "all", expires = null, lastUsed = null] = values;
    const isWhole =
      values.length >= KEY_COLUMNS[0] &&
      values.length <= KEY_COLUMNS[1] &&
      (name === null || isText(name)) &&
      hash instanceof Uint8Array &&
      hash.length === HASH_BYTES &&
      isCount(created) &&
      isCountOrNull(revoked) &&
      SCOPES.includes(scope as Scope) &&
      isCountOrNull(expires) &&
      isCountOrNull(lastUsed);
    if (!isWhole || this.keys.has(id)) return;
    this.mentionedCustomers.add(customerId);
    this.keys.set(id, {
      id,
      customerId,
      name,
      hash: Buffer.from(hash),
      created,
      revoked,
      scope: scope as Scope,
      expires,
      lastUsed,
    });
  }

  private addCharge(id: string, customerId: string, values: readonly Value[]): void {
    const [, , thousandths, operation, created] = values;
    if (values.length !== 5 || !isCount(thousandths) || !isText(operation) || !isCount(created)) return;
    this.mentionedCustomers.add(customerId);
    this.charges.set(id, { id, customerId, thousandths, operation, created });
  }

  private addOther(values: readonly Value[]): void {
    const [first, second, third, fourth, fifth] = values;
    if (!isText(first)) return;
    // An index on a text: the row's number stands behind it.
    if (values.length === 2 && isCount(second)) {
      if (KEY_ID.test(first)) this.mentionedKeys.add(first);
      else if (!CHARGE_ID.test(first)) this.mentionedCustomers.add(first);
    } else if (isCount(second) && values.length >= CUSTOMER_COLUMNS[0] && values.length <= CUSTOMER_COLUMNS[1]) {
      const incarnation = fifth ?? null;
      const [rateUpload = null, rateRetrieval = null, rateToken = null, rateFree = null] = values.slice(5);
      if (!isCountOrNull(third) || !isCountOrNull(fourth) || (incarnation !== null && !isText(incarnation))) return;
      if (!isCountOrNull(rateUpload) || !isCountOrNull(rateRetrieval)) return;
      if (!isCountOrNull(rateToken) || !isCountOrNull(rateFree)) return;
      if (!this.customers.has(first))
        this.customers.set(first, {
          id: first,
          created: second,
          balanceThousandths: third,
          removed: fourth,
          incarnation,
          rateUpload,
          rateRetrieval,
          rateToken,
          rateFree,
        });
    } else if (isText(second) && DAY.test(second) && isText(third) && isCount(fourth) && isCount(fifth)) {
      this.mentionedCustomers.add(first);
      this.usage.set(`${first} ${second} ${third}`, {
        customerId: first,
        day: second,
        operation: third,
        count: fourth,
        thousandths: fifth,
      });
    }
  }
}

const isText = (value: Value | undefined): value is string => typeof value === "string";
const isCount = (value: Value | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isCountOrNull = (value: Value | undefined): value is number | null => value === null || isCount(value);
