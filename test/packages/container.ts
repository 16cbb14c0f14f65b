/** Debian with systemd in a container that forgets everything when it ends, and has no network but its own loopback. */
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const START_SECONDS = 60;

export interface Container {
  /** Runs a shell's line in it; resolves to what it printed on both outputs. Throws what it printed when it ends badly. */
  run(line: string): Promise<string>;
  /** Where the container's file system is for this process. */
  readonly root: string;
  stop(): Promise<void>;
}

/** Starts it with folders of this machine, read-only, at paths of the container. */
export async function startContainer(root: string, folders: Readonly<Record<string, string>>): Promise<Container> {
  const folder = mkdtempSync(join(tmpdir(), "lectern-container-"));
  const output = join(folder, "output");
  const binds = Object.entries(folders).map(([there, here]) => `--bind-ro=${here}:${there}`);
  const machine = Bun.spawn(
    ["systemd-nspawn", "--directory", root, "--volatile=overlay", "--boot", "--register=no", "--keep-unit"].concat(
      ["--private-network", "--machine", `lectern-${process.pid}`],
      binds,
    ),
    { stdin: "ignore", stdout: openSync(output, "w"), stderr: "inherit" },
  );
  const deadline = performance.now() + START_SECONDS * 1000;
  let first: string | undefined;
  const enter = async (line: string): Promise<{ code: number; text: string }> => {
    first ??= childOf(machine.pid);
    if (first === undefined) return { code: 1, text: "" };
    const words = ["nsenter", "-t", first, "-m", "-p", "-u", "-i", "-n", "-r", "-w", "sh", "-c", line];
    const child = Bun.spawn([...words], {
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8", HOME: "/root" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, text: out + err };
  };
  while (!/^(running|degraded)/.test((await enter("systemctl is-system-running")).text)) {
    if (performance.now() > deadline || machine.exitCode !== null) {
      machine.kill("SIGKILL");
      throw new Error(`The container did not start:\n${readFileSync(output, "utf8")}`);
    }
    await Bun.sleep(200);
  }
  return {
    root: `/proc/${first}/root`,
    async run(line) {
      const { code, text } = await enter(line);
      if (code !== 0) throw new Error(`${line} ended with ${code}:\n${text}`);
      return text;
    },
    async stop() {
      machine.kill("SIGTERM");
      await machine.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The container's first process, as a number of this machine's. */
function childOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0] || undefined;
  } catch {
    return undefined;
  }
}
