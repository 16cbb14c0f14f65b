/** Customers and their balances: the rare changes, made by the operator. */
import { randomBytes } from "node:crypto";
import type { Database } from "bun:sqlite";
import { and, asc, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { fail } from "../foundation/errors.ts";
import type { Customer, OwnRates } from "./types.ts";
import { apiKeys, charges, consoleLinks, consoleSessions, customers, rateWindows, usage } from "./schema.ts";

const MAX_ID_CHARACTERS = 100;
export const INCARNATION_BYTES = 16;

export interface Customers {
  create(customerId: string, thousandths: number | null, created: number): Customer;
  /** null when there is none or it is being removed. */
  find(customerId: string): Customer | null;
  /** What tells this customer from an earlier or later one of the same name, null for those of old. undefined when there is none or it is being removed. */
  incarnation(customerId: string): string | null | undefined;
  list(): Customer[];
  remove(customerId: string, at: number): boolean;
  removed(): string[];
  forget(customerId: string): void;
  addCredits(customerId: string, thousandths: number): number | null;
  setCredits(customerId: string, thousandths: number | null): void;
  setRates(customerId: string, rates: Partial<OwnRates>): void;
}

export function prepareCustomers(database: Database, db: BunSQLiteDatabase): Customers {
  const columns = {
    customerId: customers.id,
    created: customers.created,
    balanceThousandths: customers.balanceThousandths,
    upload: customers.rateUpload,
    retrieval: customers.rateRetrieval,
    token: customers.rateToken,
    free: customers.rateFree,
  };
  const live = db
    .select(columns)
    .from(customers)
    .where(and(eq(customers.id, sql.placeholder("customerId")), isNull(customers.removed)))
    .prepare();
  const liveIncarnation = db
    .select({ incarnation: customers.incarnation })
    .from(customers)
    .where(and(eq(customers.id, sql.placeholder("customerId")), isNull(customers.removed)))
    .prepare();

  const forget = database.transaction((customerId: string) => {
    const removed = db
      .delete(customers)
      .where(and(eq(customers.id, customerId), isNotNull(customers.removed)))
      .returning({ id: customers.id })
      .all();
    if (removed.length === 0) return;
    for (const table of [apiKeys, rateWindows, charges, usage, consoleSessions, consoleLinks])
      db.delete(table).where(eq(table.customerId, customerId)).run();
  });

  return {
    create(customerId, thousandths, created) {
      if (
        customerId.length < 1 ||
        customerId.length > MAX_ID_CHARACTERS ||
        !customerId.isWellFormed() ||
        /\p{Cc}/u.test(customerId)
      ) {
        throw fail("OPERATION_FAILED", {
          reason: `A customer's id has 1 to ${MAX_ID_CHARACTERS} characters and no control characters.`,
        });
      }
      checkAmount(thousandths);
      const incarnation = randomBytes(INCARNATION_BYTES).toString("base64url");
      const made = db
        .insert(customers)
        .values({ id: customerId, created, incarnation, balanceThousandths: thousandths })
        .onConflictDoNothing()
        .returning(columns)
        .get();
      if (made) return customerOf(made);
      throw fail("OPERATION_FAILED", {
        reason: live.get({ customerId })
          ? `The customer "${customerId}" exists already.`
          : `The customer "${customerId}" is still being removed. Try again when the server has deleted its documents.`,
      });
    },

    find(customerId) {
      const found = live.get({ customerId: customerId.toWellFormed() });
      return found === undefined ? null : customerOf(found);
    },
    incarnation: (customerId) => liveIncarnation.get({ customerId: customerId.toWellFormed() })?.incarnation,
    list: () =>
      db
        .select(columns)
        .from(customers)
        .where(isNull(customers.removed))
        .orderBy(asc(customers.id))
        .all()
        .map(customerOf),

    remove(customerId, at) {
      const changed = db
        .update(customers)
        .set({ removed: at })
        .where(and(eq(customers.id, customerId), isNull(customers.removed)))
        .returning({ id: customers.id })
        .all();
      return changed.length > 0;
    },

    removed: () =>
      db
        .select({ id: customers.id })
        .from(customers)
        .where(isNotNull(customers.removed))
        .all()
        .map(({ id }) => id),
    forget: (customerId) => forget.immediate(customerId),

    addCredits(customerId, thousandths) {
      checkAmount(thousandths);
      const account = db
        .update(customers)
        .set({ balanceThousandths: sql`${customers.balanceThousandths} + ${thousandths}` })
        .where(
          and(
            eq(customers.id, customerId),
            isNull(customers.removed),
            or(
              isNull(customers.balanceThousandths),
              lte(customers.balanceThousandths, Number.MAX_SAFE_INTEGER - thousandths),
            ),
          ),
        )
        .returning({ balance: customers.balanceThousandths })
        .get();
      if (account) return account.balance;
      if (!live.get({ customerId })) throw noSuchCustomer(customerId);
      throw fail("OPERATION_FAILED", {
        reason: `The balance would be more than ${Math.floor(Number.MAX_SAFE_INTEGER / 1000)} credits, which cannot be counted exactly.`,
      });
    },

    setCredits(customerId, thousandths) {
      checkAmount(thousandths);
      const changed = db
        .update(customers)
        .set({ balanceThousandths: thousandths })
        .where(and(eq(customers.id, customerId), isNull(customers.removed)))
        .returning({ id: customers.id })
        .all();
      if (changed.length === 0) throw noSuchCustomer(customerId);
    },

    setRates(customerId, { upload, retrieval, token, free }) {
      const changed = db
        .update(customers)
        .set({ rateUpload: upload, rateRetrieval: retrieval, rateToken: token, rateFree: free })
        .where(and(eq(customers.id, customerId), isNull(customers.removed)))
        .returning({ id: customers.id })
        .all();
      if (changed.length === 0) throw noSuchCustomer(customerId);
    },
  };
}

function customerOf({
  customerId,
  created,
  balanceThousandths,
  ...rates
}: Omit<Customer, "rates"> & OwnRates): Customer {
  return { customerId, created, balanceThousandths, rates };
}

export function noSuchCustomer(customerId: string): Error {
  return fail("OPERATION_FAILED", { reason: `There is no customer "${customerId}".` });
}

function checkAmount(thousandths: number | null): void {
  if (thousandths !== null && (!Number.isSafeInteger(thousandths) || thousandths < 0)) {
    throw fail("OPERATION_FAILED", { reason: "An amount of credits is at least 0 and has at most three decimals." });
  }
}
