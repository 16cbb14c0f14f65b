/** Customers and keys as the console shows them. */
import { creditsRecord, type Access, type Bucket, type Customer } from "../../access/index.ts";
import { fail } from "../../foundation/errors.ts";
import type { Store } from "../../store/index.ts";

export const BUCKETS: readonly Bucket[] = ["upload", "retrieval", "token", "free"];

export interface Holdings {
  readonly datasets: number;
  readonly files: number;
}

const NOTHING: Holdings = { datasets: 0, files: 0 };

/** What each customer that has any holds. */
export function holdingsByCustomer(store: Pick<Store, "datasets">): ReadonlyMap<string, Holdings> {
  const holdings = new Map<string, Holdings>();
  for (const { customerId, fileCount } of store.datasets()) {
    if (fileCount === 0) continue;
    const { datasets, files } = holdings.get(customerId) ?? NOTHING;
    holdings.set(customerId, { datasets: datasets + 1, files: files + fileCount });
  }
  return holdings;
}

export function shownCustomer(customer: Customer, holdings: ReadonlyMap<string, Holdings>) {
  const { customerId, created, balanceThousandths, rates } = customer;
  return {
    customerId,
    created: new Date(created).toISOString(),
    credits: creditsRecord(balanceThousandths),
    rates,
    ...(holdings.get(customerId) ?? NOTHING),
  };
}

/** What holds for a customer: its own limit where it has one. */
export function effectiveRates(access: Access, customerId: string): Record<Bucket, number> {
  return Object.fromEntries(BUCKETS.map((bucket) => [bucket, access.take(customerId, bucket, 0).limit])) as Record<
    Bucket,
    number
  >;
}

/** Throws CUSTOMER_UNKNOWN. */
export function requireCustomer(access: Access, customerId: string): Customer {
  const customer = access.customer(customerId);
  if (customer === null) throw fail("CUSTOMER_UNKNOWN");
  return customer;
}
