/**
 * Rate limits: fixed windows of one wall-clock minute, per customer and bucket, one statement each, so that any number
 * of processes share them and a restart forgets nothing.
 */
import { and, eq, sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Allowance, Bucket } from "./types.ts";
import { customers, rateWindows } from "./schema.ts";

const WINDOW_SECONDS = 60;

export interface Rates {
  take(customerId: string, bucket: Bucket, count: number, now: number): Allowance;
}

/** `limits` are per window, of customers who have none of their own. */
export function prepareRates(db: BunSQLiteDatabase, limits: Record<Bucket, number>): Rates {
  const { placeholder } = sql;
  const { windowStart, count } = rateWindows;
  // A window that starts one minute ahead of ours is current: two processes may read the clock on either side of a
  // full minute. One further ahead means that the clock was set back, and is given up.
  const isCurrent = sql`${windowStart} in (excluded.${sql.identifier("windowStart")}, excluded.${sql.identifier("windowStart")} + ${sql.raw(String(WINDOW_SECONDS))})`;
  const used = sql`case when ${isCurrent} then ${count} else 0 end`;

  const takeShare = db
    .insert(rateWindows)
    .values({
      customerId: placeholder("customerId"),
      bucket: placeholder("bucket"),
      windowStart: placeholder("windowStart"),
      count: placeholder("count"),
    })
    .onConflictDoUpdate({
      target: [rateWindows.customerId, rateWindows.bucket],
      set: {
        count: sql`${used} + excluded.${sql.identifier("count")}`,
        windowStart: sql`case when ${isCurrent} then ${windowStart} else excluded.${sql.identifier("windowStart")} end`,
      },
      setWhere: sql`${used} + excluded.${sql.identifier("count")} <= ${placeholder("limit")}`,
    })
    .returning({ windowStart, count })
    .prepare();
  const current = db
    .select({ windowStart, count })
    .from(rateWindows)
    .where(and(eq(rateWindows.customerId, placeholder("customerId")), eq(rateWindows.bucket, placeholder("bucket"))))
    .prepare();
  // Asked for each time: another process may change them.
  const { rateUpload: upload, rateRetrieval: retrieval, rateToken: token, rateFree: free } = customers;
  const ownLimits = db
    .select({ upload, retrieval, token, free })
    .from(customers)
    .where(eq(customers.id, placeholder("customerId")))
    .prepare();

  return {
    take(customerId, bucket, asked, now) {
      const limit = ownLimits.get({ customerId })?.[bucket] ?? limits[bucket];
      const start = Math.floor(now / 1000 / WINDOW_SECONDS) * WINDOW_SECONDS;
      // The conflict's condition does not guard the first row of a customer, so the impossible is refused here.
      const taken =
        asked <= limit ? takeShare.get({ customerId, bucket, windowStart: start, count: asked, limit }) : undefined;
      const state = taken ?? current.get({ customerId, bucket });
      const isOurs = state && (state.windowStart === start || state.windowStart === start + WINDOW_SECONDS);
      const { windowStart: windowBegan, count: counted } = isOurs ? state : { windowStart: start, count: 0 };
      const resetSeconds = windowBegan + WINDOW_SECONDS;
      return {
        allowed: taken !== undefined,
        limit,
        remaining: Math.max(0, limit - counted),
        resetSeconds,
        retryAfter: Math.max(1, Math.ceil(resetSeconds - now / 1000)),
      };
    },
  };
}
