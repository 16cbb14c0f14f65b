/** A folder with a small Debian and systemd, in which packages are tried. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = ["systemd", "systemd-sysv", "dbus", "adduser", "debconf", "libstdc++6", "man-db", "curl", "procps"];

/** Makes it with debootstrap where it is not there. Returns what is in the way of it, or of a container that starts there, or null. */
export function makeDebianRoot(root: string): string | null {
  if (process.geteuid?.() !== 0) return "containers are the superuser's to start";
  for (const program of ["debootstrap", "systemd-nspawn", "nsenter"])
    if (Bun.which(program) === null) return `the program ${program} is not here`;
  if (!existsSync(join(root, "sbin/init"))) {
    const words = ["debootstrap", "--variant=minbase", `--include=${PACKAGES.join(",")}`, "bookworm", root];
    const made = Bun.spawnSync(words, { stdout: "pipe", stderr: "pipe" });
    if (made.exitCode !== 0) {
      rmSync(root, { recursive: true, force: true });
      return `debootstrap could not fetch Debian: ${`${made.stdout}${made.stderr}`.trim().split("\n").at(-1)}`;
    }
  }
  const words = ["systemd-nspawn", "--directory", root, "--volatile=overlay", "--register=no", "--keep-unit", "true"];
  const tried = Bun.spawnSync(words, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  return tried.exitCode === 0 ? null : `no container starts here: ${tried.stderr.toString().trim().split("\n").at(-1)}`;
}
