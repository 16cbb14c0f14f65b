/**
 * Who is signed in to the console, and by what one signs in: the operator's password, links that work once, API keys. Of secrets the
 * database holds SHA-256 where they are random, and argon2id where a person chose them.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Database } from "bun:sqlite";
import { and, eq, gt, isNull, lte, ne, or, sql, type SQL } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { apiKeys, consoleLinks, consolePassword, consoleSessions, customers } from "./schema.ts";
import type { ConsoleSession, NewConsoleSession } from "./types.ts";

/** Of the password that the operator chooses, UTF-16 units. */
export const PASSWORD_LIMITS = { minLength: 12, maxLength: 1024 } as const;
/** Days after which a customer's invitation expires. */
export const INVITATION_DAYS = { minimum: 1, maximum: 90, usual: 7 } as const;

const SECRET_BYTES = 32;
const SECRET_FORM = /^[A-Za-z0-9_-]{43}$/;

export interface ConsoleAccounts {
  passwordHash(): string | null;
  /** Ends every session of the operator but `kept`'s. */
  setPassword(hash: string, at: number, kept: string | null): void;
  /** `customerId` null: the operator's. */
  createLink(customerId: string | null, expires: number): string;
  /** Whose link it was; null: none, or an expired one, or its customer is gone. It is none from now on. */
  useLink(secret: string, at: number): { readonly customerId: string | null } | null;
  open(session: NewConsoleSession, at: number): string;
  find(secret: string, at: number): ConsoleSession | null;
  close(secret: string): void;
}

export function prepareConsole(
  database: Database,
  db: BunSQLiteDatabase,
  incarnationOf: (customerId: string) => string | null | undefined,
): ConsoleAccounts {
  /** The customer whose name and incarnation a row has, while it is there. */
  const isOwn = (table: typeof consoleSessions | typeof consoleLinks): SQL =>
    and(
      eq(customers.id, table.customerId),
      sql`${customers.incarnation} IS ${table.incarnation}`,
      isNull(customers.removed),
    )!;
  const byHash = db
    .select({
      customerId: consoleSessions.customerId,
      byLink: consoleSessions.byLink,
      expires: consoleSessions.expires,
      keyId: consoleSessions.keyId,
      scope: apiKeys.scope,
    })
    .from(consoleSessions)
    .leftJoin(customers, isOwn(consoleSessions))
    .leftJoin(apiKeys, eq(apiKeys.id, consoleSessions.keyId))
    .where(
      and(
        eq(consoleSessions.hash, sql.placeholder("hash")),
        gt(consoleSessions.expires, sql.placeholder("at")),
        or(isNull(consoleSessions.customerId), eq(customers.id, consoleSessions.customerId)),
        or(
          isNull(consoleSessions.keyId),
          and(
            eq(apiKeys.id, consoleSessions.keyId),
            isNull(apiKeys.revoked),
            or(isNull(apiKeys.expires), gt(apiKeys.expires, sql.placeholder("at"))),
          ),
        ),
      ),
    )
    .prepare();

  const incarnationNow = (customerId: string | null): string | null =>
    customerId === null ? null : (incarnationOf(customerId) ?? null);

  const replacePassword = database.transaction((hash: string, at: number, kept: string | null) => {
    db.delete(consolePassword).run();
    db.insert(consolePassword).values({ hash, changed: at }).run();
    const others = kept === null ? undefined : ne(consoleSessions.hash, hashOf(kept));
    db.delete(consoleSessions)
      .where(and(isNull(consoleSessions.customerId), others))
      .run();
    db.delete(consoleLinks).where(isNull(consoleLinks.customerId)).run();
  });

  return {
    passwordHash: () => db.select({ hash: consolePassword.hash }).from(consolePassword).get()?.hash ?? null,
    setPassword: (hash, at, kept) => replacePassword.immediate(hash, at, kept),

    createLink(customerId, expires) {
      const secret = newSecret();
      db.insert(consoleLinks)
        .values({ hash: hashOf(secret), customerId, incarnation: incarnationNow(customerId), expires })
        .run();
      return secret;
    },

    useLink(secret, at) {
      db.delete(consoleLinks).where(lte(consoleLinks.expires, at)).run();
      if (!SECRET_FORM.test(secret)) return null;
      const [used] = db
        .delete(consoleLinks)
        .where(eq(consoleLinks.hash, hashOf(secret)))
        .returning()
        .all();
      if (used === undefined) return null;
      const { customerId, incarnation } = used;
      return customerId === null || incarnationOf(customerId) === incarnation ? { customerId } : null;
    },

    open({ customerId, keyId, byLink, expires }, at) {
      db.delete(consoleSessions).where(lte(consoleSessions.expires, at)).run();
      const secret = newSecret();
      db.insert(consoleSessions)
        .values({
          hash: hashOf(secret),
          customerId,
          incarnation: incarnationNow(customerId),
          keyId,
          byLink,
          created: at,
          expires,
        })
        .run();
      return secret;
    },

    find(secret, at) {
      if (!SECRET_FORM.test(secret)) return null;
      const found = byHash.get({ hash: hashOf(secret), at });
      if (found === undefined) return null;
      const { scope, ...session } = found;
      return { ...session, scope: scope ?? "all", requestSecret: requestSecretOf(secret) };
    },

    close(secret) {
      db.delete(consoleSessions)
        .where(eq(consoleSessions.hash, hashOf(secret)))
        .run();
    },
  };
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** What only pages of the session know, which can read its answers: it follows from the session's secret, and tells nothing of it. */
const requestSecretOf = (secret: string): string =>
  createHmac("sha256", secret).update("lectern console request").digest("base64url");
