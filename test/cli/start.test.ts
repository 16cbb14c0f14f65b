/** A start that comes to nothing: it ends by itself, and by a signal at any moment. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../harness.ts";
import { describeWith, type Requirement } from "../requirements.ts";
import { serve, temporaryFolder } from "./lectern.ts";

const main = join(import.meta.dir, "../../src/main.ts");
let folder: ReturnType<typeof temporaryFolder>;
/** Holds the documents' database, so that a start waits for it for some seconds. */
let holder: Database;

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(folder.dataDirectory, { mode: 0o700 });
  holder = new Database(join(folder.dataDirectory, "lectern.db"));
  holder.run("BEGIN EXCLUSIVE");
});

afterEach(() => {
  holder.close();
  folder.remove();
});

const start = (words: string[] = [], before: string[] = []) =>
  Bun.spawn([...before, process.execPath, main, "serve", "--port", "0", "--data-dir", folder.dataDirectory, ...words], {
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
const lock = () => join(folder.dataDirectory, "lectern.lock");
const untilStarting = () => until(() => existsSync(lock()) && readFileSync(lock(), "utf8") !== "", 30_000);

test("after --start-seconds it ends with a sentence, and the data directory is free", async () => {
  const child = start(["--start-seconds", "1"]);
  expect(await new Response(child.stderr).text()).toContain(
    "could not be opened within 1 seconds. `lectern doctor` says what is wrong",
  );
  expect(await child.exited).toBe(1);
  holder.run("ROLLBACK");
  const server = await serve(folder.dataDirectory);
  expect(await server.stop()).toBe(0);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} ends it at once`, async () => {
    const child = start();
    await untilStarting();
    child.kill(signal);
    await child.exited;
    expect(child.signalCode).toBe(signal);
    expect(await new Response(child.stdout).text()).toBe("");
  });
}

const asFirstProcess = ["unshare", "--pid", "--fork"];
const processNamespaces: Requirement = {
  isMet: Bun.which("unshare") !== null && Bun.spawnSync([...asFirstProcess, "true"]).exitCode === 0,
  what: "process namespaces to be permitted",
};

describeWith(processNamespaces)("as the first process of a container, which no signal ends by itself,", () => {
  test("SIGTERM ends it too", async () => {
    const unshare = start([], asFirstProcess);
    await untilStarting();
    const [pid] = readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, "utf8").trim().split(" ");
    process.kill(Number(pid), "SIGTERM");
    expect(await unshare.exited).toBe(1);
    expect(await new Response(unshare.stdout).text()).toBe("");
  });
});
