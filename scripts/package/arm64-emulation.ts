/**
 * Programs for arm64 on this machine: qemu's user emulation, with system libraries of Debian's. Child processes of such a program are
 * emulated too, by a rule of the kernel's binfmt_misc that holds in a user namespace of its own and is gone with it (Linux 6.7 or newer).
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** ELF, 64 bits, little end first, for AArch64; and which bits of that count. */
const MAGIC = "\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00";
const MASK = "\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff";

/** The command line that runs a program for arm64. `folder` may be written to; `root` holds the system libraries. */
export function emulated(root: string, folder: string, command: readonly string[]): string[] {
  const interpreter = join(folder, "emulate");
  writeFileSync(interpreter, `#!/bin/sh\nexec qemu-aarch64 -L '${root}' "$@"\n`, { mode: 0o755 });
  const rule = `:lectern-arm64:M::${MAGIC}:${MASK}:${interpreter}:`;
  const prepare = `mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && printf %s '${rule}' >/proc/sys/fs/binfmt_misc/register && exec "$@"`;
  return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", prepare, "sh", ...command];
}

/** Fetches the system libraries from Debian with apt, whose own lists stay as they are. Returns what is in the way, or null. */
export function fetchArm64Root(root: string): string | null {
  for (const program of ["qemu-aarch64", "unshare", "apt-get", "dpkg-deb"])
    if (Bun.which(program) === null) return `the program ${program} is not here`;
  if (!existsSync(join(root, "lib/ld-linux-aarch64.so.1"))) {
    const apt = join(root, "apt");
    for (const folder of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(apt, folder), { recursive: true });
    const settings = [
      "APT::Architecture=arm64",
      "APT::Architectures::=arm64",
      `Dir::State::Lists=${apt}/lists`,
      `Dir::Cache=${apt}/cache`,
      "Dir::State::status=/dev/null",
    ].flatMap((setting) => ["-o", setting]);
    const steps = [
      ["apt-get", ...settings, "update"],
      ["apt-get", ...settings, "download", "libc6", "libstdc++6", "libgcc-s1"],
    ];
    for (const step of steps) {
      const ran = Bun.spawnSync(step, { cwd: apt, stdout: "ignore", stderr: "pipe" });
      if (ran.exitCode !== 0) return `apt-get could not fetch the system libraries: ${ran.stderr.toString().trim()}`;
    }
    for (const name of readdirSync(apt).filter((file) => file.endsWith(".deb")))
      Bun.spawnSync(["dpkg-deb", "--extract", join(apt, name), root]);
  }
  const tried = Bun.spawnSync(emulated(root, root, [join(root, "lib/ld-linux-aarch64.so.1"), "--version"]));
  return tried.exitCode === 0
    ? null
    : `this kernel lets no user namespace have a binfmt_misc of its own: ${tried.stderr.toString().trim()}`;
}
