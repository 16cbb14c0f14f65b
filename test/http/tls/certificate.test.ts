/** Which certificates a server takes, and what it says of those that it does not. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificateFilesOf, readCertificate, type CertificateFiles } from "../../../src/http/tls/certificate.ts";
import { temporaryFolder } from "../../cli/lectern.ts";
import { describeWith, program } from "../../requirements.ts";
import { openssl, selfSigned, signed } from "./certificates.ts";

const DAY = 86_400_000;

describeWith(program("openssl"))("a certificate", () => {
  const folder = temporaryFolder();
  let good: CertificateFiles;
  const path = (name: string): string => join(folder.path, name);
  const write = (name: string, text: string): string => {
    writeFileSync(path(name), text);
    return path(name);
  };
  beforeAll(async () => {
    good = await selfSigned(folder.path, "good");
  });
  afterAll(() => folder.remove());

  test("that is right is taken, with those that lead to its authority", async () => {
    const { authority, ...files } = await signed(folder.path, "signed");
    const leaf = readFileSync(files.certificate, "utf8");
    appendFileSync(files.certificate, readFileSync(authority));
    const certificate = await readCertificate(files, new Date());
    expect(certificate.leaf.trim()).toBe(leaf.trim());
    expect(certificate.chain).toBe(readFileSync(files.certificate, "utf8"));
    expect(certificate.expires.getTime()).toBeGreaterThan(Date.now() + 89 * DAY);
  });

  const cases: [string, () => Partial<CertificateFiles> | Promise<Partial<CertificateFiles>>, Date | null, string[]][] =
    [
      ["not there", () => ({ certificate: path("none.crt") }), null, ["The certificate cannot be read", "none.crt"]],
      [
        "whose key is not there",
        () => ({ key: path("none.key") }),
        null,
        ["The certificate's key cannot be read", "none.key"],
      ],
      ["expired", () => ({}), new Date(Date.now() + 91 * DAY), ["good.crt expired on 20"]],
      ["not yet valid", () => ({}), new Date(Date.now() - DAY), ["good.crt is not valid before 20", "clock"]],
      ["empty", () => ({ certificate: write("empty.crt", "") }), null, ["empty.crt holds no certificate in PEM form"]],
      [
        "nonsense",
        () => ({ certificate: write("nonsense.crt", "nonsense") }),
        null,
        ["holds no certificate in PEM form"],
      ],
      [
        "damaged",
        () => ({ certificate: write("damaged.crt", readFileSync(good.certificate, "utf8").replace("MII", "MIJ")) }),
        null,
        ["damaged"],
      ],
      ["a key", () => ({ certificate: good.key }), null, ["holds no certificate in PEM form"]],
      ["whose key is a certificate", () => ({ key: good.certificate }), null, ["holds no private key in PEM form"]],
      [
        "with the key of another",
        async () => ({ key: (await selfSigned(folder.path, "other")).key }),
        null,
        ["is not the key of the certificate in"],
      ],
      [
        "behind its authority's",
        async () => {
          const { authority, certificate, key } = await signed(folder.path, "behind");
          copyFileSync(authority, path("chain.crt"));
          appendFileSync(path("chain.crt"), readFileSync(certificate));
          return { certificate: path("chain.crt"), key };
        },
        null,
        ["is not the key", "has to come first"],
      ],
      [
        "whose key has a passphrase",
        async () => {
          await openssl("pkey", "-in", good.key, "-aes256", "-passout", "pass:secret", "-out", path("locked.key"));
          return { key: path("locked.key") };
        },
        null,
        ["locked.key holds a key with a passphrase"],
      ],
    ];
  for (const [what, files, now, fragments] of cases)
    test(`that is ${what} is refused`, async () => {
      const reading = readCertificate({ ...good, ...(await files()) }, now ?? new Date());
      const refusal = await reading.then(
        () => null,
        (error) => error,
      );
      expect(refusal).toMatchObject({ code: "USAGE" });
      for (const fragment of fragments) expect(refusal.message).toContain(fragment);
      expect(refusal.message).not.toContain("-----BEGIN PRIVATE");
    });
});

test("certificate and key go together", () => {
  expect(certificateFilesOf({ tlsCertificate: null, tlsKey: null })).toBeNull();
  expect(certificateFilesOf({ tlsCertificate: "/c", tlsKey: "/k" })).toEqual({ certificate: "/c", key: "/k" });
  expect(() => certificateFilesOf({ tlsCertificate: "/c", tlsKey: null })).toThrow("--tls-key is missing");
  expect(() => certificateFilesOf({ tlsCertificate: null, tlsKey: "/k" })).toThrow("--tls-cert is missing");
});
