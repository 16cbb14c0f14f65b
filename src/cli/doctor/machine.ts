/** What the machine must bring: the system's C library, and permission to load the native libraries. */
import { loadAddon } from "../../native/index.ts";
import { nativeGroups, type NativeGroupName } from "../../native/groups.ts";
import { bad, good, warning, type Finding } from "./finding.ts";

const LEAST_GLIBC = 34;

/** glibc 2.34 or newer. */
export function checkSystemLibrary(): Finding {
  const subject = "system";
  const machine = `${process.platform}-${process.arch}`;
  const version = glibcVersion();
  if (version === null)
    return warning(
      subject,
      `${machine}; the C library's version cannot be told.`,
      "Lectern needs glibc 2.34 or newer (Debian 12, Ubuntu 22.04, RHEL 9 and later have it).",
    );
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 2 || (major === 2 && minor < LEAST_GLIBC))
    return bad(
      subject,
      `${machine} with glibc ${version}.`,
      "Lectern needs glibc 2.34 or newer: Debian 12, Ubuntu 22.04, RHEL 9 and later have it.",
    );
  return good(subject, `${machine} with glibc ${version}.`);
}

/** Loads every native library once. */
export function checkLibraries(): Finding[] {
  return (Object.keys(nativeGroups) as NativeGroupName[]).map((name) => {
    try {
      loadAddon(name);
      return good("native library", `${name} loads.`);
    } catch (error) {
      return bad(
        "native library",
        (error as Error).message,
        "Where Lectern runs from: a folder that allows executing, named with --cache-dir. Libraries needed: libstdc++.so.6, libgcc_s.so.1.",
      );
    }
  });
}

function glibcVersion(): string | null {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime ?? null;
}
