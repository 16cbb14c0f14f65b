/** A disk that somebody else fills: uploads are refused, what makes room goes on, and nothing is answered as our mistake. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { failureOf, startLectern, until, uploadForm, type TestServer } from "../harness.ts";
import { describeWith } from "../requirements.ts";
import { mounting, mountSmallDisk, unmount } from "../small-disk.ts";

describeWith(mounting)("a full disk", () => {
  let disk: string;
  let lectern: TestServer;
  let flags: Record<string, string>;
  const foreign = (): string => join(disk, "foreign");
  const reserve = (): string => join(disk, "data", "reserve");

  beforeEach(async () => {
    disk = mountSmallDisk("64m")!;
    await mkdir(join(disk, "data"));
    flags = {
      "data-dir": join(disk, "data"),
      "reserve-file-bytes": "8MiB",
      "disk-reserve": "0",
      "rate-retrieval": "1m",
    };
    lectern = await startLectern(flags);
    await until(() => existsSync(reserve()), 10_000);
  });
  afterEach(async () => {
    await lectern.stop();
    unmount(disk);
  });

  /** Somebody else's file takes all there is. */
  async function fillUp(name = foreign()): Promise<void> {
    const file = await open(name, "w");
    try {
      for (let bytes = 1024 * 1024; bytes >= 4096; ) {
        await file.write(Buffer.alloc(bytes, "x")).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOSPC") throw error;
          bytes /= 2;
        });
      }
    } finally {
      await file.close();
    }
    expect((await statfs(disk)).bavail).toBe(0);
  }

  const searches = (key: string, count: number): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, async () => (await lectern.search(key, "d", "honey")).status));
  const upload = (key: string) =>
    lectern.call("POST", "/v1/files/upload", {
      key,
      body: uploadForm({ datasetId: "d" }, { "late.txt": "Too late." }),
    });
  const uploadsRefused = () => lectern.appliance.diskRoom.reserve.missing;

  test("searches, tokens and deletions go on, uploads are refused, and once there is room everything does", async () => {
    const { customerId, key } = lectern.customer(10_000);
    const long = "Bees make honey from the nectar of flowers, and wasps build nests of paper. ".repeat(4000);
    const fileIds = await lectern.upload(key, "d", { "a.txt": long, "b.txt": long });
    await fillUp();

    expect(new Set(await searches(key, 1000))).toEqual(new Set([200]));
    expect(lectern.appliance.access.balance(customerId)).toBe(10_000_000 - 2000 - 100_000);
    expect((await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "d" } })).status).toBe(200);
    await until(uploadsRefused, 10_000);
    expect(existsSync(reserve())).toBe(false);
    expect(await upload(key)).toMatchObject({ status: 507, body: { error: "INSUFFICIENT_STORAGE" } });
    expect(await lectern.call("GET", "/readyz")).toMatchObject({
      status: 503,
      body: { error: "INSUFFICIENT_STORAGE" },
    });
    expect((await lectern.call("GET", "/metrics")).text).toContain("lectern_disk_reserve_missing 1\n");

    for (const fileId of fileIds)
      expect((await lectern.call("DELETE", `/v1/files/${fileId}`, { key })).status).toBe(200);
    expect((await lectern.search(key, "d", "honey")).body.data).toEqual([]);

    await rm(foreign());
    await until(() => !uploadsRefused(), 10_000);
    expect(existsSync(reserve())).toBe(true);
    expect((await upload(key)).status).toBe(200);
    expect((await lectern.call("GET", "/readyz")).status).toBe(200);
  });

  test("an upload that fills the disk up itself is refused, leaves nothing, and costs nothing", async () => {
    const { customerId, key } = lectern.customer(10);
    const reply = await lectern.call("POST", "/v1/files/upload", {
      key,
      body: uploadForm({ datasetId: "d" }, { "a.txt": "x".repeat(60 * 1024 ** 2) }),
    });
    expect(reply).toMatchObject({ status: 507, body: { error: "INSUFFICIENT_STORAGE" } });
    expect(lectern.appliance.access.balance(customerId)).toBe(10_000);
    await until(() => lectern.appliance.diskRoom.held === 0, 10_000);
    expect((await upload(key)).status).toBe(200);
  });

  test("when even the reserve is used up, a request that cannot be counted is told why", async () => {
    const { key } = lectern.customer();
    await lectern.upload(key, "d", { "a.txt": "Bees make honey." });
    await fillUp();
    await rm(reserve());
    await fillUp(join(disk, "another"));
    const statuses = new Set(await searches(key, 1000));
    statuses.delete(200);
    expect([...statuses]).toEqual([507]);
    expect((await lectern.call("GET", "/healthz")).status).toBe(200);
    await until(uploadsRefused, 10_000);
  });

  test("a server starts on a full disk, with what its reserve leaves", async () => {
    const { key } = lectern.customer();
    const [fileId] = await lectern.upload(key, "d", { "a.txt": "Bees make honey." });
    await fillUp();
    await lectern.restart(flags);
    expect((await lectern.search(key, "d", "honey")).body.data).toHaveLength(1);
    await until(uploadsRefused, 10_000);
    expect((await upload(key)).status).toBe(507);
    expect((await lectern.call("DELETE", `/v1/files/${fileId}`, { key })).status).toBe(200);

    // The reserve is used up now. What a stopping server leaves is whole, and the next start says what it lacks.
    await fillUp(join(disk, "another"));
    expect(await failureOf(lectern.restart(flags))).toMatchObject({
      code: "OPERATION_FAILED",
      message: expect.stringMatching(/is full: \d+ bytes are free/),
    });
    await rm(foreign());
    await lectern.restart(flags);
    expect((await lectern.search(key, "d", "honey")).body.data).toEqual([]);
  });
});
