/**
 * API keys: `lk_` and 32 random bytes. The database holds SHA-256 of a key, never the key: with 256 random bits a
 * slow hash would add nothing. Looking up by hash is safe against timing too: whoever measures how far an index
 * comparison got learns about the hash of a guess, which they cannot steer towards the hash of a key.
 */
import { createHash, randomBytes } from "node:crypto";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { ApiKey } from "./types.ts";
import { apiKeys, customers } from "./schema.ts";

const PREFIX = "lk_";
const KEY_FORM = /^lk_[A-Za-z0-9_-]{43}$/;
const KEY_BYTES = 32;

export interface Keys {
  create(
    customerId: string,
    name: string | null,
    created: number,
  ): { customerId: string; keyId: string; apiKey: string };
  list(customerId?: string): ApiKey[];
  revoke(keyId: string, at: number): boolean;
  /** The customer of a valid key of a customer that is not removed. */
  customerOf(apiKey: string): string | null;
}

export function prepareKeys(db: BunSQLiteDatabase): Keys {
  const { id: keyId, customerId, name, created, revoked } = apiKeys;
  const columns = { keyId, customerId, name, created, revoked };
  const byHash = db
    .select({ customerId: apiKeys.customerId })
    .from(apiKeys)
    .innerJoin(customers, eq(customers.id, apiKeys.customerId))
    .where(and(eq(apiKeys.hash, sql.placeholder("hash")), isNull(apiKeys.revoked), isNull(customers.removed)))
    .prepare();

  return {
    create(owner, label, at) {
      const apiKey = PREFIX + randomBytes(KEY_BYTES).toString("base64url");
      const id = `key_${randomBytes(9).toString("base64url")}`;
      db.insert(apiKeys)
        .values({ id, customerId: owner, name: label?.toWellFormed() ?? null, hash: hashOf(apiKey), created: at })
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

    customerOf(apiKey) {
      if (!KEY_FORM.test(apiKey)) return null;
      return byHash.get({ hash: hashOf(apiKey) })?.customerId ?? null;
    },
  };
}

function hashOf(apiKey: string): Buffer {
  return createHash("sha256").update(apiKey).digest();
}
