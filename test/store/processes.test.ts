/** Several processes, and processes that are killed: what was acknowledged is there, and nothing else. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { add, cleanUp, emptyStore, filesOfCustomer, sampleFile, temporaryFolder } from "./samples.ts";

afterEach(cleanUp);

const script = (name: string) => join(import.meta.dir, "processes", name);

test("a killed process has stored every file it was told of, whole, and its directory opens again", async () => {
  const dataDirectory = temporaryFolder();
  const child = Bun.spawn([process.execPath, script("add-until-killed.ts"), dataDirectory], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  for await (const bytes of child.stdout) {
    output += new TextDecoder().decode(bytes);
    if (output.split("\n").length > 30) break;
  }
  child.kill("SIGKILL");
  await child.exited;

  const acknowledged = output.split("\n").slice(0, -1).map(Number);
  const { store } = await emptyStore({ dataDirectory });
  const { files, chunks } = store.statistics();
  expect(files).toBeGreaterThanOrEqual(acknowledged.length);
  expect(chunks).toBe(files * 2);
  expect(filesOfCustomer(store, "acme").map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
  expect(store.chunks(Array.from({ length: chunks }, (_, i) => i + 1)).size).toBe(chunks);
});

test("processes that open a new data directory at once do not collide", async () => {
  const dataDirectory = join(temporaryFolder(), "new");
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, script("open-once.ts"), dataDirectory], { stdout: "inherit", stderr: "inherit" }),
  );
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
  const { store } = await emptyStore({ dataDirectory });
  expect(store.statistics()).toEqual({ datasets: 1, files: 4, chunks: 8 });
});

test("a reader sees what another process has committed", async () => {
  const { store, dataDirectory } = await emptyStore();
  await add(store, [sampleFile()]);
  expect(await Bun.spawn([process.execPath, script("open-once.ts"), dataDirectory]).exited).toBe(0);
  expect(store.statistics().files).toBe(2);
});
