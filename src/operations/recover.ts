/** What a start does about the process that ended before it, however it ended; and the removal of customers. */
import type { Engines } from "./engines.ts";
import { noteBoot, ranOnSinceLastProcess } from "./boot.ts";
import { reconcileFiles } from "./reconcile.ts";
import { withdrawStored } from "./placing.ts";
import { removeFilesOfCustomer, removeStored } from "./remove.ts";
import type { StoredFile } from "../store/index.ts";

/** In the data directory: the boot of the machine in which the last process worked. */
const BOOT_FILE = "boot";

/**
 * Before any upload: empties the staging folder, ends what the last process did not finish, and compares the stored bytes with the
 * database. Throws OPERATION_FAILED when documents are missing from the database, unless `acceptLoss`.
 *
 * An upload settles its charge last of all, just before it is answered. Where a charge is still pending and the machine has run
 * on since, the upload was not answered: its files go again and the charge is given back, unless they have taken the place of others, which
 * are gone by then. After a restart of the machine the settling itself may have been lost, so that files which were stored stay: an
 * answered upload is never taken back. Files that are still held back were not answered. A file that was accepted, to be read later, keeps
 * its charge until then.
 */
export async function recover(
  engines: Pick<Engines, "access" | "store" | "models" | "storage" | "clearing" | "log">,
  acceptLoss: boolean,
): Promise<void> {
  const { access, store, storage, log } = engines;
  await storage.sweepStaging();
  const bootFile = storage.resolve(BOOT_FILE);
  const ranOn = await ranOnSinceLastProcess(bootFile);
  // Where the customers' database may not be the last one, what it calls unsettled may have been answered: it stays.
  const isCertain = ranOn && !acceptLoss;
  await reconcileFiles(engines, { ranOn, acceptLoss });
  const unread = store.unreadUploadJobs();
  const unreadCharges = new Set(unread.map(({ chargeId }) => chargeId));
  // What was stored of files that are still to be read: they are begun again.
  const isUnread = ({ fileId }: StoredFile): boolean => store.uploadJob(fileId) !== null;
  await withdrawStored(engines, store.pendingFiles().filter(isUnread));
  for (const { pendingId, customerId, thousandths, operation } of access.pendingCharges()) {
    if (unreadCharges.has(pendingId)) continue;
    const stored = store.filesOfCharge(pendingId);
    const isShown = stored.length > 0 && !stored.some(({ isPending }) => isPending);
    const mayHaveReplaced = stored.some(({ externalId }) => externalId !== null);
    if (isShown && (!isCertain || mayHaveReplaced)) {
      access.settle(pendingId);
      continue;
    }
    await removeStored(engines, stored);
    access.refund(customerId, thousandths, operation, pendingId);
    log.info("Gave back a charge whose work the last process did not finish", {
      customerId,
      thousandths,
      operation,
      files: stored.length,
    });
  }
  // Files of unpaid work, too, that were to take the place of others.
  await removeStored(engines, store.pendingFiles());
  await noteBoot(bootFile);
}

/**
 * Deletes the documents of customers who were removed, perhaps by another process, and then their last traces.
 *
 * Those wait for uploads under way, to be seen by their charges: whatever one of them may still store is found by its charge, after a
 * crash too, only as long as that is noted.
 */
export async function finishCustomerRemovals(
  engines: Pick<Engines, "access" | "store" | "models" | "storage" | "clearing" | "uploadJobs" | "log">,
): Promise<void> {
  for (const customerId of engines.access.removedCustomers()) {
    // Looked at first: who is removed is charged no more.
    const isUploading = engines.access.pendingCharges().some((charge) => charge.customerId === customerId);
    let removed = 0;
    do {
      removed += (await removeFilesOfCustomer(engines, customerId)).length;
      // Files that are indexed again, which nobody is charged for, may have been stored meanwhile.
    } while (!isUploading && !(await engines.store.forgetCustomer(customerId)));
    if (!isUploading) engines.access.forgetCustomer(customerId);
    if (removed > 0 || !isUploading) engines.log.info("Removed a customer's documents", { customerId, files: removed });
  }
}
