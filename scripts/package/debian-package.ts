/** lectern_VERSION_ARCHITECTURE.deb: made as deb(5) describes it, without Debian's own tools, so that any machine can make it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ar, file, gzip, tar, withFolders, type Entry } from "./archive.ts";
import type { Release } from "./release.ts";

/** Debian's names of architectures. */
export const debianArchitectures = { "linux-x64": "amd64", "linux-arm64": "arm64" } as const;

const own = (name: string): string => readFileSync(join(import.meta.dir, "debian", name), "utf8");

const MAINTAINER = "The Lectern authors <lectern@example.org>";

/** Where an administrator's changes are kept over upgrades. */
const configuration = "etc/default/lectern";

export function debianPackage(release: Release, architecture: string, executable: Uint8Array): Uint8Array {
  const documents = "usr/share/doc/lectern";
  const files = withFolders([
    file("usr/bin/lectern", executable, 0o755),
    file("lib/systemd/system/lectern.service", release.unit),
    file(configuration, own("default")),
    file("usr/share/man/man1/lectern.1.gz", gzip(release.manPage)),
    file("usr/share/bash-completion/completions/lectern", release.completions.bash!),
    file("usr/share/zsh/vendor-completions/_lectern", release.completions.zsh!),
    file("usr/share/fish/vendor_completions.d/lectern.fish", release.completions.fish!),
    ...Object.entries(release.clients).map(([path, text]) => file(`usr/share/lectern/clients/${path}`, text)),
    file(`${documents}/copyright`, own("copyright")),
    file(`${documents}/changelog.gz`, gzip(debianChangelog(release))),
    file(`${documents}/CHANGELOG.md.gz`, gzip(release.changelog)),
    file(`${documents}/README.md.gz`, gzip(release.readme)),
    file(`${documents}/THIRD_PARTY_NOTICES.txt.gz`, gzip(release.notices)),
    file("usr/share/lintian/overrides/lectern", own("lintian-overrides")),
  ]);
  const control = [
    file("conffiles", `/${configuration}\n`),
    file("config", own("config"), 0o755),
    file("control", controlFile(release.version, architecture, files)),
    file("md5sums", md5sums(files)),
    file("postinst", own("postinst"), 0o755),
    file("postrm", own("postrm"), 0o755),
    file("prerm", own("prerm"), 0o755),
    file("templates", own("templates")),
  ];
  const packed = (entries: readonly Entry[]): Uint8Array =>
    gzip(tar([{ path: "", bytes: new Uint8Array(), mode: 0o755 }, ...entries], release.seconds, "./"), 6);
  return ar(
    [file("debian-binary", "2.0\n"), file("control.tar.gz", packed(control)), file("data.tar.gz", packed(files))],
    release.seconds,
  );
}

/** Debian's form, of one entry: users read CHANGELOG.md, which lies beside it. */
function debianChangelog({ version, seconds }: Release): string {
  const date = new Date(seconds * 1000).toUTCString().replace("GMT", "+0000");
  return `lectern (${version}) unstable; urgency=medium\n\n  * CHANGELOG.md.gz says what is new.\n\n -- ${MAINTAINER}  ${date}\n`;
}

function controlFile(version: string, architecture: string, files: readonly Entry[]): string {
  const kibibytes = files.reduce((sum, { bytes }) => sum + Math.max(1, Math.ceil(bytes.length / 1024)), 0);
  return `Package: lectern
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.34), libstdc++6, libgcc-s1, adduser, debconf (>= 0.5) | debconf-2.0
Suggests: ffmpeg
Section: text
Priority: optional
Description: document search for a private server
 Lectern finds the passages of documents that answer a question, in the
 question's language and across languages. It is one executable with its
 embedding model inside, and needs no cloud, no account and no network.
 .
 This package runs it as a service of its own user, on 127.0.0.1:8080.
`;
}

function md5sums(files: readonly Entry[]): string {
  return files
    .filter(({ path }) => !path.endsWith("/") && path !== configuration)
    .map(({ path, bytes }) => `${new Bun.CryptoHasher("md5").update(bytes).digest("hex")}  ${path}\n`)
    .join("");
}
