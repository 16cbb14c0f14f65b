/** Notes in the data directory's audit.log what the operator changes on the command line. */
import { openAuditLog, type AuditAction } from "../data-directory/audit-log.ts";
import { log } from "../foundation/log.ts";
import type { Config } from "../options/config.ts";

/** To be called once the change is made. Never throws; what cannot be noted is a warning. */
export function noteChange(
  { dataDirectory, auditLogBytes }: Config,
  action: AuditAction,
  details: Readonly<Record<string, unknown>>,
): void {
  openAuditLog({
    dataDirectory,
    auditLogBytes,
    rotates: false,
    onTrouble: (reason) => log.warn("This is done, but could not be noted in audit.log", { action, reason }),
  }).note({ action, by: "operator", ...details });
}
