/** Customers, keys, tokens, credits and rates as the rest of Lectern sees them: types. */
import type { Scope } from "./scopes.ts";

/** What shares one rate limit; "free": listings, details and deletions. */
export type Bucket = "upload" | "retrieval" | "token" | "free";

/** Whose request it is and how far it reaches. */
export interface Caller {
  customerId: string;
  /** The single dataset of a frontend token; null for an API key, which reaches them all. */
  datasetId: string | null;
  /** The machine's own command line: not rate limited. */
  operator: boolean;
  /** When a token's validity ends; null for an API key. */
  expires: number | null;
  /** Which API key it is, or the console's session was opened by; null for others. */
  keyId: string | null;
  scope: Scope;
  /** Signed in to the console, and so no key or token. */
  console?: boolean;
}

/** Somebody who is signed in to the console. */
export interface ConsoleSession {
  /** null: the operator. */
  readonly customerId: string | null;
  /** The API key that it was opened by, with which it ends. */
  readonly keyId: string | null;
  readonly scope: Scope;
  /** Whether it was opened by a link. */
  readonly byLink: boolean;
  readonly expires: number;
  /** What each of its requests must show beside the cookie. */
  readonly requestSecret: string;
}

export interface NewConsoleSession {
  /** null: the operator. */
  readonly customerId: string | null;
  readonly keyId: string | null;
  readonly byLink: boolean;
  readonly expires: number;
}

/** Signing in to the console. A secret is shown once, and only its hash is kept. */
export interface ConsoleAccess {
  hasPassword(): boolean;
  /** Sets the operator's password, and ends the operator's links and every session of theirs but the one whose secret is `kept`. */
  setPassword(password: string, kept: string | null): Promise<void>;
  /** False as well where none is set. Takes a tenth of a second of a processor, elsewhere. */
  checkPassword(password: string): Promise<boolean>;
  /** The secret of a link that works once, for a customer or (null) the operator. Throws OPERATION_FAILED when there is no such customer. */
  createLink(customerId: string | null, expires: number): string;
  /** Whose link it was, which is none from now on; null: it is none. */
  useLink(secret: string): { readonly customerId: string | null } | null;
  /** The secret of a new session. */
  openSession(session: NewConsoleSession): string;
  /** null: none, expired, or its key or customer is gone. */
  session(secret: string): ConsoleSession | null;
  closeSession(secret: string): void;
}

/** A customer's own limits by minute; null: the server's. */
export type OwnRates = Record<Bucket, number | null>;

export interface Customer {
  customerId: string;
  created: number;
  /** null: unlimited. */
  balanceThousandths: number | null;
  rates: OwnRates;
}

export interface ApiKey {
  keyId: string;
  customerId: string;
  name: string | null;
  created: number;
  /** When it was revoked, or null. */
  revoked: number | null;
  scope: Scope;
  /** From when on it is no key any more; null: never. */
  expires: number | null;
  /** To about a minute; null: not yet. */
  lastUsed: number | null;
}

export interface NewApiKey {
  /** Default all. */
  readonly scope?: Scope;
  /** Milliseconds since 1970; null, the default: never. */
  readonly expires?: number | null;
}

/** The state of a rate window after a request asked for its share. */
export interface Allowance {
  allowed: boolean;
  /** Requests (or files) per minute. */
  limit: number;
  remaining: number;
  /** End of the window, Unix seconds. */
  resetSeconds: number;
  /** Seconds until the window ends, at least 1. */
  retryAfter: number;
}

/** A charge whose work may not have been finished when the process ended. */
export interface PendingCharge {
  pendingId: string;
  customerId: string;
  thousandths: number;
  operation: string;
  created: number;
}

export interface Usage {
  customerId: string;
  /** UTC, YYYY-MM-DD. */
  day: string;
  operation: string;
  /** Charges less refunds; a refund after midnight without a pending charge counts on the day it is given. */
  count: number;
  thousandths: number;
}

export interface Access {
  /** How many noted changes of customers, keys and credits an `access.db` that is not the last one lacks; above 0 only with `acceptLoss`. */
  readonly lostChanges: number;

  /** null: unlimited credits. Throws OPERATION_FAILED when the customer exists or is still being removed, or the id is not 1-100 characters. */
  createCustomer(customerId: string, thousandths: number | null): Customer;
  customer(customerId: string): Customer | null;
  /** Ordered by id; without those being removed. */
  listCustomers(): Customer[];
  /** Ends every key and token at once and leaves the customer listed in `removedCustomers`. False when there is no such customer. */
  removeCustomer(customerId: string): boolean;
  /** Removed customers whose documents are still to be deleted. */
  removedCustomers(): string[];
  /** Deletes the last traces of a removed customer, pending charges included, once its documents are gone and nothing can store more. */
  forgetCustomer(customerId: string): void;

  /** The key is shown this once; only its SHA-256 is kept. Throws OPERATION_FAILED when there is no such customer. */
  createApiKey(
    customerId: string,
    name: string | null,
    limits?: NewApiKey,
  ): { customerId: string; keyId: string; apiKey: string };
  listApiKeys(customerId?: string): ApiKey[];
  /** False when there is no such key or it was revoked before. */
  revokeApiKey(keyId: string): boolean;

  /** A frontend token for one dataset, by default for everything in it; `ttlSeconds` is a whole number within its field limits. Throws INVALID_API_KEY when the customer was removed meanwhile. */
  createToken(customerId: string, datasetId: string, ttlSeconds: number, scope?: "read" | "all"): Promise<string>;
  /** A token for the command line of this machine: every dataset of the customer, not rate limited, for five minutes. Throws as `createToken`. */
  createOperatorToken(customerId: string): Promise<string>;
  /**
   * null: unknown, revoked, expired, tampered with, signed otherwise, or of a removed customer, even where another one has its name
   * now. A clock that is set back by days ends the tokens of the time before, which would be valid for that much longer; by hours, none.
   * Never throws on bad input.
   */
  identify(credential: string): Promise<Caller | null>;

  /** Takes `count` from the customer's window of the current wall-clock minute: all of it or, when less is left, nothing. */
  take(customerId: string, bucket: Bucket, count: number, now?: number): Allowance;

  /**
   * Takes a price off the balance in one atomic statement and counts it as usage. With `pendingId` the charge is also
   * noted as pending until `settle` or `refund` names it. Throws INSUFFICIENT_CREDITS with details {required, available}
   * in credits, INVALID_CREDENTIAL when the customer was removed meanwhile.
   */
  charge(customerId: string, thousandths: number, operation: string, options?: { pendingId?: string }): void;
  /** Throws as `charge` would, and takes nothing. */
  checkBalance(customerId: string, thousandths: number): void;
  /** The work of a pending charge is done and durable. */
  settle(pendingId: string): void;
  /** Gives a charge back. With `pendingId` at most once, whatever happens: false when that charge is no longer pending. */
  refund(customerId: string, thousandths: number, operation: string, pendingId?: string): boolean;
  /** What a crash left over: settle those whose files are stored, refund the rest. */
  pendingCharges(): PendingCharge[];
  /** null: unlimited. Throws OPERATION_FAILED when there is no such customer. */
  balance(customerId: string): number | null;
  /** The new balance. An unlimited balance stays unlimited. Throws OPERATION_FAILED when there is no such customer or the sum is beyond 2^53. */
  addCredits(customerId: string, thousandths: number): number | null;
  /** null: unlimited. What is given back for work that is under way comes on top. Throws OPERATION_FAILED when there is no such customer. */
  setCredits(customerId: string, thousandths: number | null): void;
  usage(customerId: string): Usage[];
  /** Of all customers, or one, from a day on; ordered by day, customer and operation. */
  usageSince(day: string, customerId?: string): Usage[];
  /** Gives a customer limits of its own, from the next request on; null: the server's again. Throws OPERATION_FAILED when there is no such customer. */
  setRates(customerId: string, rates: Partial<OwnRates>): void;

  readonly console: ConsoleAccess;

  /** base64url HMAC-SHA256 for download links, under a key of its own. */
  sign(text: string): string;
  /** Compares in constant time. */
  verify(text: string, signature: string): boolean;

  /** Moves the write-ahead log into the database; blocks for its fsync. */
  checkpoint(): void;
  close(): void;
}

export interface AccessOptions {
  dataDirectory: string;
  /** Per minute and customer, for those who have none of their own. */
  limits: Record<Bucket, number>;
  /** "elsewhere": another thread checkpoints the file (see the store's `alsoCheckpoint`), so that no request waits for it. */
  checkpoints?: "here" | "elsewhere";
  /** Whether to go on with an `access.db` that is older than what is noted beside it. */
  acceptLoss?: boolean;
  /** The clock, milliseconds since 1970. */
  now?: () => number;
}
