/** What a start does about the process that ended before it, however it ended; and the removal of customers. */
import type { Engines } from "./engines.ts";
import { noteBoot, ranOnSinceLastProcess } from "./boot.ts";
import { reconcileFiles } from "./reconcile.ts";
import { removeFilesOfCustomer, removeStored } from "./remove.ts";

/** In the data directory: the boot of the machine in which the last process worked. */
const BOOT_FILE = "boot";

/**
 * Before any upload: empties the staging folder, ends what the last process did not finish, and compares the stored bytes with the
 * database. Throws OPERATION_FAILED when documents are missing from the database, unless `acceptLoss`.
 *
 * An upload settles its charge last of all, just before it is answered. Where a charge is still pending and the machine has run
 * on since, the upload was not answered: its files go again and the charge is given back. After a restart of the machine the
 * settling itself may have been lost, so that files which were stored stay: an answered upload is never taken back.
 */
export async function recover(engines: Pick<Engines, "access" | "store" | "models" | "storage" | "log">, acceptLoss: boolean): Promise<void> {
  const { access, store, storage, log } = engines;
  await storage.sweepStaging();
  const bootFile = storage.resolve(BOOT_FILE);
  const ranOn = await ranOnSinceLastProcess(bootFile);
  await reconcileFiles(engines, { ranOn, acceptLoss });
  for (const { pendingId, customerId, thousandths, operation } of access.pendingCharges()) {
    const stored = store.filesOfCharge(pendingId);
    if (stored.length > 0 && !ranOn) {
      access.settle(pendingId);
      continue;
    }
    await removeStored(engines, stored);
    access.refund(customerId, thousandths, operation, pendingId);
    log.info("Gave back a charge whose work the last process did not finish", { customerId, thousandths, operation, files: stored.length });
  }
  await noteBoot(bootFile);
}

/** Deletes the documents of customers who were removed, perhaps by another process, and then their last traces. */
export async function finishCustomerRemovals(engines: Pick<Engines, "access" | "store" | "models" | "storage" | "log">): Promise<void> {
  for (const customerId of engines.access.removedCustomers()) {
    let removed = 0;
    do {
      removed += (await removeFilesOfCustomer(engines, customerId)).length;
      // An upload under way may have stored more meanwhile.
    } while (!(await engines.store.forgetCustomer(customerId)));
    engines.access.forgetCustomer(customerId);
    engines.log.info("Removed a customer's documents", { customerId, files: removed });
  }
}
