/** For whom a page works: the customer who is signed in, or one that the operator looks after. */
export interface Workspace {
  readonly customerId: string;
  /** Named in every request where the operator acts; null: the session says it. */
  readonly acting: string | null;
  /** Where its pages begin. */
  readonly base: readonly string[];
  /** Whether keys may be made and revoked. */
  readonly mayChange: boolean;
}

/** The query of an address of the console's own that concerns this customer. */
export function ofCustomer({ acting }: Workspace): Record<string, string | null> {
  return { customerId: acting };
}
