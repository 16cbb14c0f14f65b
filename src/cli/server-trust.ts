/** Which certificates a command trusts at a server. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { fail } from "../foundation/errors.ts";

/** What `fetch` takes as its `tls`; undefined: as the system does. */
export type ServerTrust = BunFetchRequestInitTLS | undefined;

/**
 * Trusts a server that shows one of these certificates (PEM), whoever signed it and whatever name it is for, and no other: they are
 * told by the server's own data directory.
 */
export function trustOnly(certificates: readonly string[]): ServerTrust {
  if (certificates.length === 0) return undefined;
  const known = new Set(certificates.map((pem) => new X509Certificate(pem).fingerprint256));
  const pinned = {
    ca: [...certificates],
    // What others have signed is no root, and is to be trusted all the same.
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, { fingerprint256 }: { fingerprint256: string }) =>
      known.has(fingerprint256)
        ? undefined
        : Object.assign(new Error("Another certificate"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" }),
  };
  return pinned as ServerTrust;
}

/** Trusts what a file's certificates (PEM) have signed, as far as their names are right. Throws USAGE when it cannot be read. */
export function trustAuthority(path: string | null): ServerTrust {
  if (path === null) return undefined;
  try {
    const ca = readFileSync(path, "utf8");
    // Throws where it holds none.
    void new X509Certificate(ca);
    return { ca };
  } catch (error) {
    throw fail(
      "USAGE",
      { reason: `--ca names ${path}, which cannot be used as a certificate: ${(error as Error).message}.` },
      undefined,
      error,
    );
  }
}
