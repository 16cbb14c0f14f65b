/** The certificate that a server shows, and its private key: read from their two files and checked before anybody sees them. */
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { fail } from "../../foundation/errors.ts";
import type { Config } from "../../options/config.ts";

export interface CertificateFiles {
  /** PEM: the server's own certificate, then those that lead to its authority, if any. */
  readonly certificate: string;
  /** PEM, without a passphrase. */
  readonly key: string;
}

/** The files that the options name; null: no TLS. Throws USAGE where one of the two is missing. */
export function certificateFilesOf({
  tlsCertificate,
  tlsKey,
}: Pick<Config, "tlsCertificate" | "tlsKey">): CertificateFiles | null {
  if (tlsCertificate === null && tlsKey === null) return null;
  if (tlsCertificate !== null && tlsKey !== null) return { certificate: tlsCertificate, key: tlsKey };
  throw fail("USAGE", {
    reason: `--tls-cert and --tls-key (or their variables) go together, and ${tlsKey === null ? "--tls-key" : "--tls-cert"} is missing.`,
  });
}

export interface Certificate {
  /** PEM, the whole chain. */
  readonly chain: string;
  /** PEM; the first of the chain. */
  readonly leaf: string;
  /** PEM. */
  readonly key: string;
  readonly expires: Date;
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads both files and checks that they can be used `now`. Throws USAGE with a sentence on what is wrong with which of them. */
export async function readCertificate(files: CertificateFiles, now: Date): Promise<Certificate> {
  const [chain, key] = await Promise.all([
    readText(files.certificate, "The certificate"),
    readText(files.key, "The certificate's key"),
  ]);
  const leaf = chain.match(BLOCK)?.[0];
  if (leaf === undefined)
    throw unusable(files.certificate, "holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).");
  const certificate = parseCertificate(leaf, files.certificate);
  if (!certificate.checkPrivateKey(parseKey(key, files.key)))
    throw unusable(
      files.key,
      `is not the key of the certificate in ${files.certificate}. The server's own certificate has to come first there.`,
    );
  const [begins, expires] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  if (now < begins)
    throw unusable(files.certificate, `is not valid before ${begins.toISOString()}. Is the clock right?`);
  if (now > expires)
    throw unusable(files.certificate, `expired on ${expires.toISOString()}. Put a new one in its place.`);
  try {
    createSecureContext({ cert: chain, key });
  } catch (error) {
    throw unusable(files.certificate, `cannot be used: ${(error as Error).message}.`, error);
  }
  return { chain, leaf, key, expires };
}

function parseCertificate(leaf: string, path: string): X509Certificate {
  try {
    return new X509Certificate(leaf);
  } catch (error) {
    throw unusable(path, "holds something that is no certificate, or a damaged one.", error);
  }
}

function parseKey(key: string, path: string): KeyObject {
  if (key.includes("ENCRYPTED"))
    throw unusable(path, "holds a key with a passphrase. Write it without one: openssl pkey -in FILE -out FILE.new.");
  try {
    return createPrivateKey(key);
  } catch (error) {
    throw unusable(path, "holds no private key in PEM form, or a damaged one.", error);
  }
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw fail("USAGE", { reason: `${what} cannot be read: ${(error as Error).message}.` }, undefined, error);
  }
}

function unusable(path: string, reason: string, cause?: unknown): Error {
  return fail("USAGE", { reason: `${path} ${reason}` }, undefined, cause);
}
