/** The packages that `bun run package:check` has made, and the systems it tries them on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import type { Requirement } from "../requirements.ts";

const named = (variable: string, what: string): { folder: string; requirement: Requirement } => {
  const folder = process.env[variable] ?? "";
  return {
    folder,
    requirement: { isMet: folder !== "", what: `${variable} to name ${what}: \`bun run package:check\`` },
  };
};

export const packages = named("LECTERN_TEST_PACKAGES", "the folder with the packages");
/** Of Debian with systemd; it stays as it is. */
export const debianRoot = named(
  "LECTERN_TEST_DEBIAN_ROOT",
  "a folder with Debian and systemd, that a container can start",
);
/** Of arm64. */
export const arm64Root = named(
  "LECTERN_TEST_ARM64_ROOT",
  "a folder with the system libraries of arm64, where qemu-aarch64 runs such programs",
);

/** The package's path. */
export const portable = (target: string): string => join(packages.folder, `lectern-${version}-${target}.tar.gz`);
export const debian = (architecture: string): string => join(packages.folder, `lectern_${version}_${architecture}.deb`);

/** Unpacks the portable archive into a folder of its own; `folder` is what is in it. */
export function unpack(target: string): { folder: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "lectern-package-"));
  const unpacked = Bun.spawnSync(["tar", "xzf", portable(target), "-C", path]);
  if (unpacked.exitCode !== 0) throw new Error(unpacked.stderr.toString());
  return { folder: join(path, `lectern-${version}-${target}`), remove: () => rmSync(path, { recursive: true }) };
}
