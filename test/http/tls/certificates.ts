/** Certificates for tests, made by openssl. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CertificateFiles } from "../../../src/http/tls/certificate.ts";

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** One that signed itself, for this machine's own names. Takes the place of an earlier one of that name. */
export async function selfSigned(directory: string, name: string, days = 90): Promise<CertificateFiles> {
  const files = filesOf(directory, name);
  const names = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  await openssl(
    "req",
    "-x509",
    ...NEW_KEY,
    "-keyout",
    files.key,
    "-out",
    files.certificate,
    "-days",
    String(days),
    ...names,
  );
  return files;
}

/** One for another machine's name, or those given, signed by an authority of its own, whose certificate is `authority`. */
export async function signed(
  directory: string,
  name: string,
  names = `DNS:${name}.example`,
): Promise<CertificateFiles & { authority: string }> {
  const files = filesOf(directory, name);
  const authority = await selfSigned(directory, `${name}-authority`);
  const [request, extensions] = [join(directory, `${name}.csr`), join(directory, `${name}.ext`)];
  writeFileSync(extensions, `subjectAltName=${names}`);
  await openssl("req", ...NEW_KEY, "-keyout", files.key, "-out", request, "-subj", `/CN=${name}`);
  const by = ["-CA", authority.certificate, "-CAkey", authority.key, "-CAcreateserial"];
  await openssl(
    "x509",
    "-req",
    "-in",
    request,
    ...by,
    "-out",
    files.certificate,
    "-days",
    "90",
    "-extfile",
    extensions,
  );
  return { ...files, authority: authority.certificate };
}

export async function openssl(...words: string[]): Promise<void> {
  const child = Bun.spawn(["openssl", ...words], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const stderr = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(stderr);
}

const filesOf = (directory: string, name: string): CertificateFiles => ({
  certificate: join(directory, `${name}.crt`),
  key: join(directory, `${name}.key`),
});
