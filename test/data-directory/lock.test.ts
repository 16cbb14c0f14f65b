/** Who owns a data directory, and what other processes believe about it. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockDirectory, readServerAddress } from "../../src/data-directory/lock.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "lectern-lock-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a server is known while it holds the directory, and not before it listens or after", () => {
  expect(readServerAddress(directory)).toBeNull();
  const lock = lockDirectory(directory);
  expect(readServerAddress(directory)).toBeNull();
  lock.announce("http://127.0.0.1:8080");
  expect(readServerAddress(directory)).toMatchObject({ pid: process.pid, url: "http://127.0.0.1:8080" });
  expect(() => lockDirectory(directory)).toThrow(/in use by the Lectern server at http:\/\/127\.0\.0\.1:8080/);
  lock.release();
  expect(readServerAddress(directory)).toBeNull();
  lockDirectory(directory).release();
});

test("what a killed server left is not believed, though another process has its number now", () => {
  lockDirectory(directory).release();
  writeFileSync(
    join(directory, "server.json"),
    JSON.stringify({ pid: process.pid, url: "http://127.0.0.1:1", startedAt: new Date().toISOString() }),
  );
  expect(readServerAddress(directory)).toBeNull();
});

test("asking who owns a directory never keeps a server from taking it", async () => {
  lockDirectory(directory).release();
  writeFileSync(
    join(directory, "server.json"),
    JSON.stringify({ pid: process.pid, url: "http://127.0.0.1:1", startedAt: "" }),
  );
  const asking = `import { readServerAddress } from ${JSON.stringify(join(import.meta.dir, "../../src/data-directory/lock.ts"))};
    console.log("asking"); for (;;) readServerAddress(${JSON.stringify(directory)});`;
  const child = Bun.spawn([process.execPath, "-e", asking], { stdout: "pipe" });
  try {
    await child.stdout.getReader().read();
    for (let round = 0; round < 20; round++) {
      expect(() => lockDirectory(directory).release()).not.toThrow();
      // Taking it removes the file; without it nobody would ask for the lock.
      writeFileSync(
        join(directory, "server.json"),
        JSON.stringify({ pid: process.pid, url: "http://127.0.0.1:1", startedAt: "" }),
      );
      await Bun.sleep(2);
    }
  } finally {
    child.kill();
    await child.exited;
  }
});
