/** What a start does about the process that ended before it, however it ended; and the removal of customers. */
import type { Engines } from "./engines.ts";
import { removeFilesOfCustomer } from "./remove.ts";

/** Before any upload: empties the staging folder, and settles or gives back charges whose upload the last process did not finish. */
export async function recover({ access, store, storage, log }: Pick<Engines, "access" | "store" | "storage" | "log">): Promise<void> {
  await storage.sweepStaging();
  for (const { pendingId, customerId, thousandths, operation } of access.pendingCharges()) {
    if (store.hasCharge(pendingId)) {
      access.settle(pendingId);
    } else {
      access.refund(customerId, thousandths, operation, pendingId);
      log.info("Gave back a charge whose work the last process did not finish", { customerId, thousandths, operation });
    }
  }
}

/** Removes stored bytes that no file owns: what a crash in the middle of an upload or a deletion left. May run beside uploads. */
export async function sweepOrphans({ store, storage, log }: Pick<Engines, "store" | "storage" | "log">, startedAt: number): Promise<void> {
  const removed = await storage.sweepUnknown((fileId) => store.fileById(fileId) !== null, startedAt);
  if (removed > 0) log.info("Removed bytes that no stored file owns", { files: removed });
}

/** Deletes the documents of customers who were removed, perhaps by another process, and then their last traces. */
export async function finishCustomerRemovals(engines: Pick<Engines, "access" | "store" | "models" | "storage" | "log">): Promise<void> {
  for (const customerId of engines.access.removedCustomers()) {
    const files = await removeFilesOfCustomer(engines, customerId);
    await engines.store.forgetCustomer(customerId);
    engines.access.forgetCustomer(customerId);
    engines.log.info("Removed a customer's documents", { customerId, files: files.length });
  }
}
