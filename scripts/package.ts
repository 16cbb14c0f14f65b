/**
 * `bun run package [--target linux-x64]`: builds the executable for each target, and writes into dist/ its tar.gz and its Debian package,
 * the bill of materials, and SHA256SUMS of them all. The same source in the same folder makes the same bytes (a library
 * keeps the path it was built from); SOURCE_DATE_EPOCH sets the time they bear.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { debianArchitectures, debianPackage } from "./package/debian-package.ts";
import { portableArchive } from "./package/portable-archive.ts";
import { describeRelease } from "./package/release.ts";
import { billOfMaterials } from "./package/sbom.ts";
import { bun, root, step } from "./steps.ts";

type Target = keyof typeof debianArchitectures;
const allTargets = Object.keys(debianArchitectures) as Target[];

function readTargets(): Target[] {
  const { values } = parseArgs({ options: { target: { type: "string", multiple: true, default: allTargets } } });
  const unknown = values.target.find((target) => !Object.hasOwn(debianArchitectures, target));
  if (unknown !== undefined) throw new Error(`--target is one of ${allTargets.join(", ")}, not "${unknown}"`);
  return values.target as Target[];
}

/** Builds for one target and returns its packages by their names. */
async function packagesFor(target: Target): Promise<Map<string, Uint8Array>> {
  const executable = join(root, "build/packages", target, "lectern");
  const built = await step(
    `Building for ${target}`,
    bun("scripts/build.ts", "--target", target, "--outfile", executable),
  );
  if (!built.ok) throw new Error(`The executable for ${target} could not be built: what the build said stands above.`);
  const bytes = readFileSync(executable);
  const architecture = debianArchitectures[target];
  return new Map([
    [`lectern-${release.version}-${target}.tar.gz`, portableArchive(release, target, bytes)],
    [`lectern_${release.version}_${architecture}.deb`, debianPackage(release, architecture, bytes)],
  ]);
}

const targets = readTargets();
const release = describeRelease();
const dist = join(root, "dist");
mkdirSync(dist, { recursive: true });
const sums: string[] = [];
function write(name: string, bytes: Uint8Array): void {
  const path = join(dist, name);
  writeFileSync(path, bytes);
  sums.push(`${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  ${name}\n`);
  console.log(`Wrote ${relative(process.cwd(), path)}: ${(bytes.length / 1e6).toFixed(1)} MB`);
}
for (const target of targets) for (const [name, bytes] of await packagesFor(target)) write(name, bytes);
write(`lectern-${release.version}.cdx.json`, Buffer.from(billOfMaterials(root, release.seconds)));
writeFileSync(join(dist, "SHA256SUMS"), sums.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(""));
