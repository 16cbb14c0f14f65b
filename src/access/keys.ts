/**
 * API keys: `lk_` and 32 random bytes. The database holds SHA-256 of a key, never the key: with 256 random bits a
 * slow hash would add nothing. Looking up by hash is safe against timing too: whoever measures how far an index
 * comparison got learns about the hash of a guess, which they cannot steer towards the hash of a key.
 */
import { createHash, randomBytes } from "node:crypto";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Scope } from "./scopes.ts";
import type { ApiKey, NewApiKey } from "./types.ts";
import { apiKeys, customers } from "./schema.ts";

const PREFIX = "lk_";
const KEY_FORM = /^lk_[A-Za-z0-9_-]{43}$/;
const KEY_BYTES = 32;

export interface ValidKey {
  readonly keyId: string;
  readonly customerId: string;
  readonly scope: Scope;
  readonly lastUsed: number | null;
}

export interface Keys {
  create(
    customerId: string,
    name: string | null,
    created: number,
    limits: NewApiKey,
  ): { customerId: string; keyId: string; apiKey: string };
  list(customerId?: string): ApiKey[];
  revoke(keyId: string, at: number): boolean;
  /** A key that is valid at this time, of a customer that is not removed. */
  find(apiKey: string, at: number): ValidKey | null;
  /** Notes that a key was used at this time. */
  noteUse(keyId: string, at: number): void;
}

export function prepareKeys(db: BunSQLiteDatabase): Keys {
  const { id: keyId, customerId, name, created, revoked, scope, expires, lastUsed } = apiKeys;
  const columns = { keyId, customerId, name, created, revoked, scope, expires, lastUsed };
  const byHash = db
    .select({ keyId, customerId, scope, expires, lastUsed })
    .from(apiKeys)
    .innerJoin(customers, eq(customers.id, apiKeys.customerId))
    .where(and(eq(apiKeys.hash, sql.placeholder("hash")), isNull(apiKeys.revoked), isNull(customers.removed)))
    .prepare();

  return {
    create(owner, label, at, limits) {
      const apiKey = PREFIX + randomBytes(KEY_BYTES).toString("base64url");
      const id = `key_${randomBytes(9).toString("base64url")}`;
      db.insert(apiKeys)
        .values({
          id,
          customerId: owner,
          name: label?.toWellFormed() ?? null,
          hash: hashOf(apiKey),
          created: at,
          ...limits,
        })
        .run();
      return { customerId: owner, keyId: id, apiKey };
    },

    list(owner) {
      const condition = owner === undefined ? undefined : eq(apiKeys.customerId, owner);
      return db.select(columns).from(apiKeys).where(condition).orderBy(asc(apiKeys.created), asc(apiKeys.id)).all();
    },

    revoke(id, at) {
      const changed = db
        .update(apiKeys)
        .set({ revoked: at })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revoked)))
        .returning({ id: apiKeys.id })
        .all();
      return changed.length > 0;
    },

    find(apiKey, at) {
      if (!KEY_FORM.test(apiKey)) return null;
      const key = byHash.get({ hash: hashOf(apiKey) });
      return key === undefined || (key.expires !== null && key.expires <= at) ? null : key;
    },

    noteUse(id, at) {
      db.update(apiKeys).set({ lastUsed: at }).where(eq(apiKeys.id, id)).run();
    },
  };
}

function hashOf(apiKey: string): Buffer {
  return createHash("sha256").update(apiKey).digest();
}
