/** lectern-VERSION-TARGET.tar.gz: the executable with what belongs to it, for any Linux. */
import { file, gzip, tar, withFolders, type Entry } from "./archive.ts";
import type { Release } from "./release.ts";

/** What lies in the archive's one folder. */
export function portableFiles(release: Release, executable: Uint8Array): Entry[] {
  return [
    file("lectern", executable, 0o755),
    file("README.md", release.readme),
    file("CHANGELOG.md", release.changelog),
    file("LICENSE", release.licence),
    file("THIRD_PARTY_NOTICES.txt", release.notices),
    file("Dockerfile", release.dockerfile),
    file("lectern.service", release.unit),
    file("man/lectern.1", release.manPage),
    file("completions/lectern.bash", release.completions.bash!),
    file("completions/_lectern", release.completions.zsh!),
    file("completions/lectern.fish", release.completions.fish!),
    ...Object.entries(release.clients).map(([path, text]) => file(`clients/${path}`, text)),
  ];
}

export function portableArchive(release: Release, target: string, executable: Uint8Array): Uint8Array {
  const prefix = `lectern-${release.version}-${target}/`;
  const entries = withFolders(
    portableFiles(release, executable).map((entry) => ({ ...entry, path: prefix + entry.path })),
  );
  return gzip(tar(entries, release.seconds), 6);
}
