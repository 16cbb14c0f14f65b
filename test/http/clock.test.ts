/** A server whose clock is set wrong and right again: over HTTP, everything made afterwards works at once. */
import { afterAll, afterEach, beforeAll, expect, setSystemTime, test } from "bun:test";
import { startLectern, type TestServer } from "../harness.ts";

const DAY = 24 * 3600 * 1000;

let lectern: TestServer;
beforeAll(async () => {
  lectern = await startLectern();
});
afterEach(() => setSystemTime());
afterAll(() => lectern.stop());

test.each([
  ["400 days ahead and back", 400 * DAY],
  ["to 1970 and right again", -Date.now()],
  ["an hour ahead and back", DAY / 24],
])("set %s", async (_what, away) => {
  setSystemTime(new Date(Date.now() + away));
  const { key } = lectern.customer();
  const [before] = await lectern.upload(key, "books", { "before.txt": "The harbour is closed on Sundays." });
  setSystemTime();

  const { token } = (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "books" } })).body;
  const [after] = await lectern.upload(token, "books", { "after.txt": "The museum opens at nine." });
  expect((await lectern.search(token, "books", "harbour")).body.data).toHaveLength(2);
  expect(
    (await lectern.call("GET", "/v1/files", { key: token })).body.files.map((file: { fileId: string }) => file.fileId),
  ).toEqual([after, before] as never);
  for (const fileId of [before, after]) {
    const { permanentUrl } = (await lectern.call("GET", `/v1/files/${fileId}`, { key: token })).body.files[0];
    expect((await lectern.call("GET", permanentUrl.slice(lectern.url.length))).status).toBe(200);
  }
  expect((await lectern.call("DELETE", "/v1/files", { key })).body.files).toHaveLength(2);
});
