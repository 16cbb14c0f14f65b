/** The Debian package on Debian: installed, hardened, hung, upgraded over an older version's data, removed and purged, under systemd itself. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianPackage } from "../../scripts/package/debian-package.ts";
import { describeRelease } from "../../scripts/package/release.ts";
import { projectRoot } from "../../src/native/index.ts";
import { tinyModel } from "../answers/gguf-writer.ts";
import { describeWith } from "../requirements.ts";
import { leaveWithoutReplacement } from "../store/earlier-schemas.ts";
import { startContainer, type Container } from "./container.ts";
import { debian, debianRoot, packages, unpack } from "./packages.ts";
import { version } from "../../package.json";

setDefaultTimeout(300_000);

describeWith(packages.requirement, debianRoot.requirement)("the Debian package", () => {
  let folder: string;
  let container: Container;
  const run = (line: string): Promise<string> => container.run(line);
  /** A command as the service's user. */
  const lectern = (words: string): Promise<string> =>
    run(`setpriv --reuid lectern --regid lectern --clear-groups lectern ${words} --data-dir /var/lib/lectern`);
  const install = (path: string): Promise<string> => run(`DEBIAN_FRONTEND=noninteractive dpkg -i ${path}`);
  const purge = (): Promise<string> => run("DEBIAN_FRONTEND=noninteractive dpkg --purge lectern");
  const property = async (name: string): Promise<string> =>
    (await run(`systemctl show lectern --value -p ${name}`)).trim();
  const findsDocuments = async (): Promise<void> =>
    expect(await lectern('search "How is the chain cleaned?" --dataset samples')).toContain("bicycle-maintenance.md");

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "lectern-service-"));
    chmodSync(folder, 0o755);
    // The same executable under an older number stands for the version before.
    const { folder: portable, remove } = unpack("linux-x64");
    const older = debianPackage(
      { ...describeRelease(), version: "0.0.1" },
      "amd64",
      readFileSync(join(portable, "lectern")),
    );
    remove();
    writeFileSync(join(folder, "older.deb"), older);
    writeFileSync(join(folder, "tiny.gguf"), tinyModel({ script: ["Bees", " make", " honey", " [", "1", "]."] }));
    container = await startContainer(debianRoot.folder, {
      "/packages": packages.folder,
      "/project": join(projectRoot, "samples"),
      "/documents": join(projectRoot, "test/documents"),
      "/older": folder,
    });
  });
  afterAll(async () => {
    await container?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("starts the service as its own user, whose folders nobody else can read", async () => {
    await install("/older/older.deb");
    expect(await property("ActiveState")).toBe("active");
    expect(await property("StatusText")).toBe("Serving at http://127.0.0.1:8080");
    expect(await run("systemctl is-enabled lectern")).toBe("enabled\n");
    expect(await run("stat -c '%a %U %G' /var/lib/lectern /var/cache/lectern")).toBe("700 lectern lectern\n".repeat(2));
    expect(await run("ps -o user= -C lectern")).toMatch(/^(lectern\n)+$/);
    expect(await lectern("health")).toContain("is ready");
    expect(await run("man lectern | cat")).toContain("document search for a private server");
  });

  test("shows no key in the journal, and the operator makes one", async () => {
    const journal = await run("journalctl -u lectern --no-pager");
    expect(journal).toContain("Ready url=http://127.0.0.1:8080");
    expect(journal).not.toContain("lk_");
    const [, key] = /(lk_[\w-]{43})/.exec(await lectern("key create --customer default"))!;
    const listed = await run(`curl -s http://127.0.0.1:8080/v1/datasets -H 'Authorization: Bearer ${key}'`);
    expect(JSON.parse(listed)).toMatchObject({ success: true });
  });

  test("reads documents, scans and recordings, and answers by a language model, with all its rights taken away", async () => {
    expect(await lectern("ingest /project --dataset samples")).toContain("Indexed 20 files");
    await findsDocuments();
    await lectern("ingest /documents/pictures/english.png --dataset scans");
    expect(await lectern("search lighthouse --dataset scans")).toContain("lighthouse keeper");
    await lectern("ingest /documents/audio/samples/english.opus --dataset recordings --language en");
    expect(await lectern("search ferry --dataset recordings")).toContain("The ferry to the island");
    await lectern("model add /older/tiny.gguf");
    await lectern("model use tiny");
    await run("systemctl restart lectern");
    expect(await lectern('query "How is the chain cleaned?" --dataset samples')).toContain("Bees make honey [1]");
    expect(await run("journalctl -u lectern --no-pager")).not.toMatch(/ error /);
  });

  test("is started again when it hangs", async () => {
    const before = await property("MainPID");
    await run("mkdir -p /run/systemd/system/lectern.service.d");
    await run("printf '[Service]\\nWatchdogSec=2\\n' >/run/systemd/system/lectern.service.d/watchdog.conf");
    await run("systemctl daemon-reload && systemctl restart lectern");
    const hung = await property("MainPID");
    expect(hung).not.toBe(before);
    await run(`kill -STOP ${hung}`);
    while ((await property("NRestarts")) !== "1" || (await property("ActiveState")) !== "active") await Bun.sleep(200);
    expect(await property("MainPID")).not.toBe(hung);
    await findsDocuments();
    await run("rm -r /run/systemd/system/lectern.service.d && systemctl daemon-reload && systemctl restart lectern");
  });

  test("is upgraded over the data of an older version, and keeps what the administrator wrote", async () => {
    await run("echo LECTERN_PORT=8081 >>/etc/default/lectern && systemctl stop lectern");
    // SQLite follows no path into a container: the database is brought out for it, and back.
    mkdirSync(join(folder, "data"));
    copyFileSync(join(container.root, "var/lib/lectern/lectern.db"), join(folder, "data/lectern.db"));
    leaveWithoutReplacement(join(folder, "data"));
    await run("install -o lectern -g lectern -m 600 /older/data/lectern.db /var/lib/lectern/");
    await install(`/packages/${debian("amd64").split("/").pop()}`);
    expect(await property("StatusText")).toBe("Serving at http://127.0.0.1:8081");
    expect(await run("dpkg-query --show lectern")).toBe(`lectern\t${version}\n`);
    await findsDocuments();
  });

  test("starts a running service again when it is upgraded", async () => {
    const before = await property("MainPID");
    await install(`/packages/${debian("amd64").split("/").pop()}`);
    expect(await property("ActiveState")).toBe("active");
    expect(await property("MainPID")).not.toBe(before);
    await findsDocuments();
  });

  test("keeps the documents when it is removed, and when it is purged where nobody can be asked", async () => {
    await run("dpkg --remove lectern");
    expect(await property("ActiveState")).toBe("inactive");
    expect(await purge()).toContain("the documents in /var/lib/lectern are kept");
    expect(await run("ls -d /var/lib/lectern; ls -d /var/cache/lectern /etc/default/lectern || true")).toMatch(
      /^\/var\/lib\/lectern\n(ls: cannot access .*\n){2}$/,
    );
    await install(`/packages/${debian("amd64").split("/").pop()}`);
    await findsDocuments();
  });

  test("removes everything where that was said", async () => {
    await run("echo lectern lectern/remove-data boolean true | debconf-set-selections");
    await purge();
    expect(await run("find / -xdev -name '*lectern*' -not -path '/proc/*' -not -path '/var/cache/man/*'")).toBe("");
    expect(await run("getent passwd lectern || echo nobody")).toBe("nobody\n");
  });
});
