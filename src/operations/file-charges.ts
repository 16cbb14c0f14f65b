/** Charges of accepted files: one for each, since each may be given back. They are pending until their file is shown or given up. */
import type { Access } from "../access/index.ts";
import { PRICE_OF_FILE } from "./prices.ts";

/** Charges all of them or none, and tells the charges' ids. Throws INSUFFICIENT_CREDITS. */
export function chargeEach(access: Access, customerId: string, count: number): string[] {
  access.checkBalance(customerId, PRICE_OF_FILE * count);
  const chargeIds: string[] = [];
  try {
    for (let at = 0; at < count; at++) {
      const pendingId = crypto.randomUUID();
      access.charge(customerId, PRICE_OF_FILE, "upload", { pendingId });
      chargeIds.push(pendingId);
    }
  } catch (error) {
    for (const chargeId of chargeIds) giveBack(access, customerId, chargeId);
    throw error;
  }
  return chargeIds;
}

/** Gives a charge back that is still pending. */
export function giveBack(access: Access, customerId: string, chargeId: string): void {
  access.refund(customerId, PRICE_OF_FILE, "upload", chargeId);
}
