/** `lectern health`: what a container's health check learns. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { lectern, serve, temporaryFolder } from "./lectern.ts";

test("a server that serves is healthy; one that cannot be reached, and none, are not", async () => {
  const folder = temporaryFolder();
  const ask = (...words: string[]) => lectern(["health", "--data-dir", folder.dataDirectory, ...words]);
  const server = await serve(folder.dataDirectory);
  // Datasets are brought into memory first.
  while (!(await fetch(`${server.url}/readyz`)).ok) await Bun.sleep(20);
  expect(await ask()).toMatchObject({ code: 0, stdout: `The server at ${server.url} is ready.\n` });
  expect((await ask("--json")).json()).toEqual({ url: server.url, ready: true });

  const elsewhere = { pid: server.process.pid, url: "http://127.0.0.1:9", startedAt: new Date().toISOString() };
  writeFileSync(join(folder.dataDirectory, "server.json"), JSON.stringify(elsewhere));
  const unreachable = await ask();
  expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining("is not ready: nothing listens") });

  await server.stop();
  expect(await ask()).toMatchObject({ code: 1, stderr: expect.stringContaining("No server holds the data directory") });
  folder.remove();
});
