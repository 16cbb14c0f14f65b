/** Opens the customers' database of a data directory for one command, beside a running server or without one. */
import { statSync } from "node:fs";
import { accessDatabasePath, openAccess, type Access } from "../access/index.ts";
import { checkComplete } from "../data-directory/complete.ts";
import { refuseUnfinishedMoves } from "../data-directory/moves.ts";
import type { Config } from "../options/config.ts";
import { fail } from "../foundation/errors.ts";

/**
 * Runs `work` and closes the database whatever happens. Throws OPERATION_FAILED when the data directory does not exist,
 * unless the command may create it, and when the database or the secret is missing beside documents.
 */
export async function withAccess<Result>(
  config: Config,
  work: (access: Access) => Result | Promise<Result>,
  mayCreate = false,
): Promise<Result> {
  refuseUnfinishedMoves(config.dataDirectory);
  checkComplete(config.dataDirectory);
  if (!mayCreate && statSync(accessDatabasePath(config.dataDirectory), { throwIfNoEntry: false }) === undefined) {
    throw fail("OPERATION_FAILED", {
      reason: `There is no Lectern data directory at ${config.dataDirectory}. Name one with --data-dir, or start with \`lectern serve\` or \`lectern customer create\`.`,
    });
  }
  const access = openAccess({
    dataDirectory: config.dataDirectory,
    limits: {
      upload: config.rateUpload,
      retrieval: config.rateRetrieval,
      token: config.rateToken,
      free: config.rateFree,
    },
  });
  try {
    return await work(access);
  } finally {
    access.close();
  }
}

/**
 * The customer a command works for: the one named, else the only one there is, else `default`.
 * Throws USAGE when that is not clear, OPERATION_FAILED when the named one does not exist.
 */
export function chooseCustomer(access: Access, named: string | undefined): string {
  if (named !== undefined) {
    if (!access.customer(named)) throw unknownCustomer(named);
    return named;
  }
  const customers = access.listCustomers().map((customer) => customer.customerId);
  if (customers.length === 1) return customers[0]!;
  if (customers.includes("default")) return "default";
  if (customers.length === 0)
    throw fail("OPERATION_FAILED", { reason: "There is no customer yet. Make one with `lectern customer create ID`." });
  throw fail("USAGE", { reason: `There are ${customers.length} customers: name one with --customer.` });
}

/** For a customer id that nobody has. */
export function unknownCustomer(customerId: string): Error {
  return fail("OPERATION_FAILED", {
    reason: `There is no customer "${customerId}". \`lectern customer list\` shows them.`,
  });
}
