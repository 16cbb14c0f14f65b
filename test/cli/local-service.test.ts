/** `lectern ingest` without a server: what its waits for room end by, and that it comes through them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAppliance, type Appliance } from "../../src/appliance/index.ts";
import type { UploadRequest } from "../../src/cli/document-service.ts";
import { localService } from "../../src/cli/local-service.ts";
import { loadConfig, type Config } from "../../src/options/config.ts";
import { fail, LecternError } from "../../src/foundation/errors.ts";
import { createLog } from "../../src/foundation/log.ts";
import { temporaryFolder } from "./lectern.ts";

const CUSTOMER = "acme";
const folder = temporaryFolder();
const long = "The lamp of the lighthouse is lit at dusk and put out at dawn.\n\n".repeat(10_000);
let config: Config;
let appliance: Appliance;
beforeAll(async () => {
  // Room for one long file, not for two.
  const flags = { "data-dir": folder.dataDirectory, "staging-bytes": String(Math.floor(long.length * 1.5)) };
  config = loadConfig({ flags, environment: {} });
  appliance = await openAppliance(config, createLog({ level: "silent", format: "text", write: () => {} }));
  appliance.access.createCustomer(CUSTOMER, 10_000);
});
afterAll(async () => {
  await appliance.close();
  folder.remove();
});

/** Asks for the upload of a local file that holds the text. */
function requestFor(name: string, text: string): UploadRequest {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  const files = [{ path, externalId: null, relativePath: null }];
  return { files, datasetId: "d", extraMeta: null, chunkSize: null, chunkOverlap: null };
}

test("an upload that waits for room gives up when it is told to; the one that has begun is finished", async () => {
  const service = localService(appliance, config, CUSTOMER);
  const stop = new AbortController();
  const uploads = ["first.txt", "second.txt"].map((name) => service.upload(requestFor(name, long), stop.signal));
  stop.abort();
  const outcomes = await Promise.allSettled(uploads);
  const givenUp = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason);
  expect(givenUp).toEqual([expect.any(LecternError)]);
  expect(givenUp[0].message).toBe("Given up while waiting for room.");
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
}, 60_000);

test("an upload that finds no room when its bytes are already in place is tried again, and stored and paid once", async () => {
  // As the store finds one whose dataset was embedded anew meanwhile, while the embedder is busy.
  let attempts = 0;
  const addFiles: Appliance["store"]["addFiles"] = (added) => {
    if (++attempts === 1) throw fail("BUSY", { retryAfter: 0 });
    return appliance.store.addFiles(added);
  };
  const service = localService({ ...appliance, store: { ...appliance.store, addFiles } }, config, CUSTOMER);
  const balance = appliance.access.balance(CUSTOMER)!;
  const [fileId] = await service.upload(requestFor("third.txt", "A short text."), new AbortController().signal);
  expect(attempts).toBe(2);
  expect(appliance.access.balance(CUSTOMER)).toBe(balance - 1000);
  expect(appliance.store.fileById(fileId!)?.originalName).toBe("third.txt");
  const inPlace = readdirSync(join(folder.dataDirectory, "files"), { recursive: true, withFileTypes: true });
  // Each stored file and its record: nothing of the first attempt.
  expect(inPlace.filter((entry) => entry.isFile())).toHaveLength(2 * 2);
  expect(readdirSync(join(folder.dataDirectory, "staging"))).toEqual([]);
});
