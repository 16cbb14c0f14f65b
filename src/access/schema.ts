/**
 * The tables of `access.db`. The migrations in `drizzle/access` are generated from this file
 * by `drizzle/generate NAME`.
 * WITHOUT ROWID is added to them by hand where a row is found by its text key: the generator does not know it; and the row of
 * `operatorChanges`, which begins with as many as an earlier database shows.
 */
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Scope } from "./scopes.ts";

export const customers = sqliteTable("customers", {
  id: text().primaryKey(),
  created: integer().notNull(),
  /** Random; tells the customer from others who had its name before or will. null: made before there were incarnations, by the first of the name. */
  incarnation: text(),
  /** null: unlimited. */
  balanceThousandths: integer(),
  /** Its own limits by minute; null: the server's. */
  rateUpload: integer(),
  rateRetrieval: integer(),
  rateToken: integer(),
  rateFree: integer(),
  /** Set while the documents of a removed customer are still being deleted. */
  removed: integer(),
});

export const apiKeys = sqliteTable(
  "apiKeys",
  {
    id: text().primaryKey(),
    customerId: text().notNull(),
    name: text(),
    /** SHA-256 of the key, 32 bytes. */
    hash: blob({ mode: "buffer" }).notNull(),
    created: integer().notNull(),
    revoked: integer(),
    /** What it may do, as `Scope`. */
    scope: text().$type<Scope>().notNull().default("all"),
    /** From when on it is no key any more; null: never. */
    expires: integer(),
    /** To about a minute; null: not since that is kept. */
    lastUsed: integer(),
  },
  (table) => [uniqueIndex("apiKeys_hash").on(table.hash), index("apiKeys_customer").on(table.customerId)],
);

/** One row per customer and bucket: the next minute's first request writes over the last minute's count, so nothing piles up. */
export const rateWindows = sqliteTable(
  "rateWindows",
  {
    customerId: text().notNull(),
    bucket: text().notNull(),
    /** Unix seconds, a multiple of 60. */
    windowStart: integer().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.bucket] })],
);

/** Charges whose work is under way. */
export const charges = sqliteTable(
  "charges",
  {
    id: text().primaryKey(),
    customerId: text().notNull(),
    thousandths: integer().notNull(),
    operation: text().notNull(),
    created: integer().notNull(),
  },
  (table) => [index("charges_customer").on(table.customerId)],
);

export const usage = sqliteTable(
  "usage",
  {
    customerId: text().notNull(),
    /** UTC, YYYY-MM-DD. */
    day: text().notNull(),
    operation: text().notNull(),
    count: integer().notNull(),
    thousandths: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.day, table.operation] })],
);

/** One row; see `changes.ts`. */
export const operatorChanges = sqliteTable("operatorChanges", {
  count: integer().notNull(),
});

/** Who is signed in to the console. By hash, WITHOUT ROWID. */
export const consoleSessions = sqliteTable("consoleSessions", {
  /** SHA-256 of the session's secret, 32 bytes. */
  hash: blob({ mode: "buffer" }).primaryKey(),
  /** null: the operator. */
  customerId: text(),
  /** The customer's, when it signed in: null for an operator and for customers of old. */
  incarnation: text(),
  /** The key it signed in by: the session ends with it, and may do what it may. null: by a link or the password. */
  keyId: text(),
  /** Whether it was opened by a link. */
  byLink: integer({ mode: "boolean" }).notNull(),
  created: integer().notNull(),
  expires: integer().notNull(),
});

/** Links by which somebody may sign in to the console once. By hash, WITHOUT ROWID. */
export const consoleLinks = sqliteTable("consoleLinks", {
  /** SHA-256 of the link's secret, 32 bytes. */
  hash: blob({ mode: "buffer" }).primaryKey(),
  /** null: the operator. */
  customerId: text(),
  incarnation: text(),
  expires: integer().notNull(),
});

/** The operator's password for the console: one row, or none. */
export const consolePassword = sqliteTable("consolePassword", {
  /** As PHC string: argon2id, its parameters and its salt. */
  hash: text().notNull(),
  changed: integer().notNull(),
});
