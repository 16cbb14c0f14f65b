/** Files read in the background: whose turn it is, what is tried again, and what a file costs that cannot be read. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFileId } from "../../src/files/index.ts";
import { fail } from "../../src/foundation/errors.ts";
import { readUploadJob } from "../../src/operations/read-upload-job.ts";
import { UploadJobs, type JobOutcome } from "../../src/operations/upload-jobs.ts";
import type { UploadJob } from "../../src/store/index.ts";
import { startLectern, until, type TestServer } from "../harness.ts";

let lastId = 0;

/** A file that is to be read, of a customer. */
const job = (customerId: string, externalId: string | null = null): UploadJob => {
  const fileId = newFileId();
  return {
    id: ++lastId,
    fileId,
    customerId,
    datasetName: "d",
    originalName: "a.txt",
    storagePath: join("files", fileId.slice(-2), fileId),
    mimeType: null,
    size: 7,
    sha256: "0".repeat(64),
    created: Date.now(),
    externalId,
    relativePath: null,
    chunkSize: 300,
    chunkOverlap: 20,
    chargeId: crypto.randomUUID(),
    language: null,
    ocrLanguages: null,
    extraMeta: null,
    subtitlesFileId: null,
    attempts: 0,
    errorCode: null,
    errorMessage: null,
  };
};

describe("whose turn it is", () => {
  /** Reads each file until it is told the outcome. */
  function start(backgroundFiles: number) {
    const jobs = new UploadJobs({ backgroundFiles, backgroundQueue: 100 });
    const begun: string[] = [];
    const ends = new Map<string, (outcome: JobOutcome) => void>();
    jobs.start((fileId, signal) => {
      begun.push(fileId);
      const { promise, resolve } = Promise.withResolvers<JobOutcome>();
      ends.set(fileId, resolve);
      signal.addEventListener("abort", () => resolve("ended"));
      return promise;
    });
    const end = async (fileId: string, outcome: JobOutcome = "ended"): Promise<void> => {
      ends.get(fileId)!(outcome);
      await Bun.sleep(0);
    };
    return { jobs, begun, end };
  }

  test("customers take turns, and no more are read than may be", async () => {
    const { jobs, begun, end } = start(2);
    const [a1, a2, a3, b1] = [job("a"), job("a"), job("a"), job("b")];
    jobs.add([a1, a2, a3]);
    jobs.add([b1]);
    expect(begun).toEqual([a1.fileId, a2.fileId]);
    expect([jobs.running, jobs.waiting]).toEqual([2, 2]);
    await end(a1.fileId);
    await end(a2.fileId);
    expect(begun.slice(2)).toEqual([b1.fileId, a3.fileId]);
  });

  test("files of one external id are read one after the other", async () => {
    const { jobs, begun, end } = start(4);
    const [first, second, other] = [job("a", "x"), job("a", "x"), job("b", "x")];
    jobs.add([first, second, other]);
    expect(begun).toEqual([first.fileId, other.fileId]);
    await end(first.fileId);
    expect(begun).toEqual([first.fileId, other.fileId, second.fileId]);
  });

  test("one that is to be tried again waits, and lets others go first", async () => {
    const { jobs, begun, end } = start(1);
    const [first, second] = [job("a"), job("b")];
    jobs.add([first, second]);
    await end(first.fileId, { retryAfterMilliseconds: 50 });
    expect(begun).toEqual([first.fileId, second.fileId]);
    await end(second.fileId);
    await until(() => begun.length === 3, 5000);
    expect(begun[2]).toBe(first.fileId);
  });

  test("one that is let go of has ended, and is not begun again", async () => {
    const { jobs, begun } = start(1);
    const [first, second] = [job("a"), job("a")];
    jobs.add([first, second]);
    expect(await Promise.all([jobs.letGo(second.fileId), jobs.letGo(first.fileId)])).toEqual([false, true]);
    expect([jobs.running, jobs.waiting, begun]).toEqual([0, 0, [first.fileId]]);
  });

  test("stopping ends what is read, and begins nothing more", async () => {
    const { jobs, begun } = start(1);
    jobs.add([job("a"), job("a")]);
    await jobs.stop();
    expect(begun).toHaveLength(1);
  });
});

describe("a file that cannot be read now", () => {
  let lectern: TestServer;
  beforeAll(async () => {
    lectern = await startLectern();
  });
  afterAll(() => lectern.stop());

  /** Notes a paid file of which only this test knows; `failing` is what its reader throws. */
  async function accept(failing: () => unknown) {
    const { appliance, directory } = lectern;
    const { customerId } = lectern.customer(10);
    const accepted = { ...job(customerId), customerId };
    const { id: _id, attempts: _attempts, errorCode: _code, errorMessage: _message, ...noted } = accepted;
    appliance.access.charge(customerId, 1000, "upload", { pendingId: accepted.chargeId });
    const path = join(directory, accepted.storagePath);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "A text.");
    await appliance.store.addUploadJobs([noted], appliance.models.chosen.embedder.modelId);
    const { extractor } = appliance.models.chosen;
    extractor.extract = async () => {
      throw failing();
    };
    return {
      attempt: () => readUploadJob(appliance, accepted.fileId, new AbortController().signal, () => {}),
      stored: () => appliance.store.uploadJob(accepted.fileId)!,
      balance: () => appliance.access.balance(customerId)! / 1000,
    };
  }

  const passing = ["BUSY", "INSUFFICIENT_STORAGE", "MODEL_MISSING", "RESTARTING", "UPLOADS_PAUSED"] as const;
  test.each(passing)("because of %s is tried again, however often", async (code) => {
    const { attempt, stored, balance } = await accept(() => fail(code, { retryAfter: 7 }));
    for (let times = 0; times < 15; times++) expect(await attempt()).toEqual({ retryAfterMilliseconds: 7000 });
    expect([stored().attempts, stored().errorCode, balance()]).toEqual([0, null, 9]);
  });

  test("because of a mistake of ours is tried some times, then given up and given back", async () => {
    const { attempt, stored, balance } = await accept(() => new Error("secret trace"));
    let times = 0;
    while ((await attempt()) !== "ended") times++;
    expect(times).toBe(9);
    expect(stored()).toMatchObject({ errorCode: "INTERNAL", errorMessage: "Internal error" });
    expect(balance()).toBe(10);
  });

  test("at all is given up at once and given back", async () => {
    const { attempt, stored, balance } = await accept(() => fail("NO_TEXT", { file: "a.txt" }));
    expect(await attempt()).toBe("ended");
    expect([stored().errorCode, balance()]).toEqual(["NO_TEXT", 10]);
  });

  test("that ended the process again and again is given up", async () => {
    const { attempt, stored, balance } = await accept(() => fail("NO_TEXT", { file: "a.txt" }));
    await lectern.appliance.store.noteUploadAttempts(stored().id, 10);
    expect(await attempt()).toBe("ended");
    expect([stored().errorCode, balance()]).toEqual(["INTERNAL", 10]);
  });
});
