/**
 * Credits: what a customer has, what is being worked for, what was used. A price is taken by one statement that also
 * checks the balance; usage and pending charges change in the same transaction, so the books always agree.
 */
import type { Database } from "bun:sqlite";
import { and, asc, eq, gte, isNull, or, sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { fail } from "../foundation/errors.ts";
import type { PendingCharge, Usage } from "./types.ts";
import { charges, customers, usage } from "./schema.ts";

const THOUSANDTHS = 1000;

export interface Credits {
  charge(customerId: string, thousandths: number, operation: string, pendingId: string | null, now: number): void;
  check(customerId: string, thousandths: number): void;
  settle(pendingId: string): void;
  refund(customerId: string, thousandths: number, operation: string, pendingId: string | null, now: number): boolean;
  pending(): PendingCharge[];
  usage(customerId: string): Usage[];
  usageSince(day: string, customerId?: string): Usage[];
}

export function prepareCredits(database: Database, db: BunSQLiteDatabase): Credits {
  const { placeholder } = sql;
  const { balanceThousandths } = customers;

  // Null stays null: an unlimited balance pays everything.
  const pay = db
    .update(customers)
    .set({ balanceThousandths: sql`${balanceThousandths} - ${placeholder("thousandths")}` })
    .where(
      and(
        eq(customers.id, placeholder("customerId")),
        isNull(customers.removed),
        or(isNull(balanceThousandths), gte(balanceThousandths, placeholder("thousandths"))),
      ),
    )
    .returning({ id: customers.id })
    .prepare();
  const giveBack = db
    .update(customers)
    .set({ balanceThousandths: sql`${balanceThousandths} + ${placeholder("thousandths")}` })
    .where(eq(customers.id, placeholder("customerId")))
    .prepare();
  const available = db
    .select({ balanceThousandths })
    .from(customers)
    .where(and(eq(customers.id, placeholder("customerId")), isNull(customers.removed)))
    .prepare();
  const countUsage = db
    .insert(usage)
    .values({
      customerId: placeholder("customerId"),
      day: placeholder("day"),
      operation: placeholder("operation"),
      count: placeholder("count"),
      thousandths: placeholder("thousandths"),
    })
    .onConflictDoUpdate({
      target: [usage.customerId, usage.day, usage.operation],
      set: {
        count: sql`${usage.count} + excluded.${sql.identifier("count")}`,
        thousandths: sql`${usage.thousandths} + excluded.${sql.identifier("thousandths")}`,
      },
    })
    .prepare();
  const notePending = db
    .insert(charges)
    .values({
      id: placeholder("id"),
      customerId: placeholder("customerId"),
      thousandths: placeholder("thousandths"),
      operation: placeholder("operation"),
      created: placeholder("created"),
    })
    .prepare();
  const takePending = db
    .delete(charges)
    .where(eq(charges.id, placeholder("id")))
    .returning()
    .prepare();

  const charge = database.transaction(
    (customerId: string, thousandths: number, operation: string, pendingId: string | null, now: number) => {
      if (!pay.get({ customerId, thousandths })) throw refusal(customerId, thousandths);
      countUsage.run({ customerId, day: dayOf(now), operation, count: 1, thousandths });
      if (pendingId !== null) notePending.run({ id: pendingId, customerId, thousandths, operation, created: now });
    },
  );

  const refund = database.transaction(
    (customerId: string, thousandths: number, operation: string, pendingId: string | null, now: number): boolean => {
      const pending = pendingId === null ? null : takePending.get({ id: pendingId });
      if (pending === undefined) return false;
      // What was noted when it was taken is what goes back, whatever the caller remembers.
      const entry = pending ?? { customerId, thousandths, operation, created: now };
      giveBack.run({ customerId: entry.customerId, thousandths: entry.thousandths });
      countUsage.run({ ...entry, day: dayOf(entry.created), count: -1, thousandths: -entry.thousandths });
      return true;
    },
  );

  function refusal(customerId: string, thousandths: number): Error {
    const account = available.get({ customerId });
    if (!account) return fail("INVALID_CREDENTIAL");
    const price = { required: thousandths / THOUSANDTHS, available: (account.balanceThousandths ?? 0) / THOUSANDTHS };
    return fail("INSUFFICIENT_CREDITS", price, price);
  }

  return {
    // Immediate: the lock is waited for at the start, where waiting is safe, never between reading and writing.
    charge: (...entry) => charge.immediate(...entry),
    refund: (...entry) => refund.immediate(...entry),
    check(customerId, thousandths) {
      const account = available.get({ customerId });
      if (!account || (account.balanceThousandths ?? thousandths) < thousandths) throw refusal(customerId, thousandths);
    },
    settle(pendingId) {
      takePending.get({ id: pendingId });
    },
    pending() {
      return db
        .select({
          pendingId: charges.id,
          customerId: charges.customerId,
          thousandths: charges.thousandths,
          operation: charges.operation,
          created: charges.created,
        })
        .from(charges)
        .orderBy(asc(charges.created))
        .all();
    },
    usage(customerId) {
      return db
        .select()
        .from(usage)
        .where(eq(usage.customerId, customerId))
        .orderBy(asc(usage.day), asc(usage.operation))
        .all();
    },
    usageSince(day, customerId) {
      const own = customerId === undefined ? undefined : eq(usage.customerId, customerId);
      return db
        .select()
        .from(usage)
        .where(and(gte(usage.day, day), own))
        .orderBy(asc(usage.day), asc(usage.customerId), asc(usage.operation))
        .all();
    },
  };
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
