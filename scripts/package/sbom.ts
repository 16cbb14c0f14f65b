/** lectern-VERSION.cdx.json: what is inside the executable, as CycloneDX 1.6 writes it down. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSupportedSpdxId } from "@cyclonedx/cyclonedx-library/SPDX";
import type { InnerLibrary } from "../executable/inner-libraries.ts";
import { softwareInside, type SoftwarePackage } from "../executable/software.ts";

/** `seconds` is the time of the release. */
export function billOfMaterials(root: string, seconds: number): string {
  const { version, packages } = softwareInside(root);
  const hashes = hashesInLock(root);
  const reference = `pkg:generic/lectern@${version}`;
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: {
        type: "application",
        "bom-ref": reference,
        name: "lectern",
        version,
        purl: reference,
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
    },
    components: packages.map((one) => packageComponent(one, hashes)),
    dependencies: [
      { ref: reference, dependsOn: packages.map(packageUrl) },
      ...packages.map((one) => ({
        ref: packageUrl(one),
        dependsOn: one.dependencies.map((name) => packageUrl(packages.find((other) => other.name === name)!)),
      })),
    ],
  };
  // The same contents have the same number, whenever they are written down.
  const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify(bill)).digest("hex");
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  const serialNumber = `urn:uuid:${[...parts, digest.slice(20, 32)].join("-")}`;
  return `${JSON.stringify({ ...bill, serialNumber }, null, 2)}\n`;
}

function packageComponent(one: SoftwarePackage, hashes: ReadonlyMap<string, string>): object {
  const { name, version, licence, inside } = one;
  const sha512 = hashes.get(`${name}@${version}`);
  if (sha512 === undefined) throw new Error(`bun.lock has no hash of ${name} ${version}: run \`bun install\``);
  const [group, plain] = name.startsWith("@") ? (name.split("/") as [string, string]) : [undefined, name];
  return {
    type: "library",
    "bom-ref": packageUrl(one),
    group,
    name: plain,
    version,
    purl: packageUrl(one),
    hashes: [{ alg: "SHA-512", content: sha512 }],
    licenses: licenceChoice(licence),
    ...(inside.length === 0 ? {} : { components: inside.map((library) => innerComponent(one, library)) }),
  };
}

const innerComponent = (
  outer: SoftwarePackage,
  { name, version, licence, copyright, source, purl }: InnerLibrary,
): object => ({
  type: "library",
  "bom-ref": `${packageUrl(outer)}#${name}`,
  name,
  ...(version === null ? {} : { version }),
  ...(copyright === null ? {} : { copyright }),
  purl,
  licenses: licenceChoice(licence),
  externalReferences: [{ type: "website", url: source }],
});

/** npm's package URL, in which the "@" of a scope is encoded. */
const packageUrl = ({ name, version }: SoftwarePackage): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** A licence's own name, several of them as an expression, or what the manifest says where it is neither. */
function licenceChoice(licence: string): object[] {
  if (isSupportedSpdxId(licence)) return [{ license: { id: licence } }];
  return / (OR|AND|WITH) /.test(licence) ? [{ expression: licence }] : [{ license: { name: licence } }];
}

/** SHA-512 of every package as the registry has it, hexadecimal, by `name@version`. */
function hashesInLock(root: string): Map<string, string> {
  const lock = readFileSync(join(root, "bun.lock"), "utf8");
  const rows = [...lock.matchAll(/^ {4}"[^"]+": \["([^"]+)".*"sha512-([A-Za-z0-9+/=]+)"\],?$/gm)];
  return new Map(rows.map(([, name, hash]) => [name!, Buffer.from(hash!, "base64").toString("hex")]));
}
