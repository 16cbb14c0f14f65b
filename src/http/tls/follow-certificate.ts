/** Takes up a certificate that is put in the place of the present one while the server runs, and says when one is about to expire. */
import type { Log } from "../../foundation/log.ts";
import type { RunningServer } from "../server.ts";
import { readCertificate, type Certificate, type CertificateFiles } from "./certificate.ts";

const LOOK_EVERY_MILLISECONDS = 2000;
/** From when on before its end a certificate is worth a warning, and how often. */
const WARN_BEFORE_MILLISECONDS = 30 * 86_400_000;
const WARN_EVERY_MILLISECONDS = 86_400_000;

interface Followed {
  readonly server: Pick<RunningServer, "url" | "renew">;
  /** Tells other processes of this machine which certificates are shown. */
  readonly announce: (url: string, certificates: readonly string[]) => void;
  readonly log: Log;
}

/**
 * Reads the files again and again and has the server take up what has changed. What cannot be used is logged, once, and the present one
 * stays; two files that do not belong together are looked at twice, since one is written after the other. Returns how to stop.
 */
export function followCertificate(
  files: CertificateFiles,
  present: Certificate,
  { server, announce, log }: Followed,
): () => Promise<void> {
  let seen = "";
  let told = "";
  let warned = 0;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const now = new Date();
    try {
      const found = await readCertificate(files, now);
      if (found.chain !== present.chain || found.key !== present.key) {
        announce(server.url, [present.leaf, found.leaf]);
        await server.renew(found);
        announce(server.url, [found.leaf]);
        present = found;
        warned = 0;
        log.info("Took up another certificate", { expires: found.expires.toISOString() });
      }
      told = seen = "";
    } catch (error) {
      const reason = (error as Error).message;
      if (reason === seen && reason !== told) {
        told = reason;
        log.error("The certificate's files cannot be used; the present certificate stays", { reason });
      }
      seen = reason;
    }
    warnOfExpiry(now);
  }

  function warnOfExpiry(now: Date): void {
    const left = present.expires.getTime() - now.getTime();
    if (left > WARN_BEFORE_MILLISECONDS || now.getTime() - warned < WARN_EVERY_MILLISECONDS) return;
    warned = now.getTime();
    const expires = present.expires.toISOString();
    if (left <= 0) log.error("The certificate has expired: clients refuse it. Put a new one in its place", { expires });
    else
      log.warn("The certificate expires soon. Put a new one in its place", {
        expires,
        days: Math.floor(left / 86_400_000),
      });
  }

  warnOfExpiry(new Date());
  const timer = setInterval(() => (looking ??= look().finally(() => (looking = null))), LOOK_EVERY_MILLISECONDS);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
