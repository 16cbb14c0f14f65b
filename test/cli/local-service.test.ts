/** `lectern ingest` without a server: what the caller's signal ends. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DocumentService } from "../../src/cli/document-service.ts";
import { openLocalService } from "../../src/cli/local-service.ts";
import { loadConfig } from "../../src/config.ts";
import { LecternError } from "../../src/errors.ts";
import { lectern, temporaryFolder } from "./lectern.ts";

const folder = temporaryFolder();
const text = "The lamp of the lighthouse is lit at dusk and put out at dawn.\n\n".repeat(10_000);
let service: DocumentService;
beforeAll(async () => {
  await lectern(["customer", "create", "acme", "--credits", "unlimited", "--data-dir", folder.dataDirectory]);
  // Room for one of the files, not for two.
  const flags = { "data-dir": folder.dataDirectory, "staging-bytes": String(Math.floor(text.length * 1.5)) };
  service = await openLocalService(loadConfig({ flags, environment: {} }), undefined);
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

test("an upload that waits for room gives up when it is told to; the one that has begun is finished", async () => {
  const stop = new AbortController();
  const uploads = ["first.txt", "second.txt"].map((name) => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    const request = { path, datasetId: "d", extraMeta: null, chunkSize: null, chunkOverlap: null };
    return service.upload(request, stop.signal);
  });
  stop.abort();
  const outcomes = await Promise.allSettled(uploads);
  const done = outcomes.filter((outcome) => outcome.status === "fulfilled");
  const givenUp = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason);
  expect(done).toHaveLength(1);
  expect(givenUp).toEqual([expect.any(LecternError)]);
  expect(givenUp[0].message).toBe("Given up while waiting for room.");
}, 60_000);
