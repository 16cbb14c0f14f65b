/** One customer never sees another's data, nor learns that it exists. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startLectern, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let owner: TestCustomer;
let stranger: TestCustomer;
let fileId: string;

beforeAll(async () => {
  lectern = await startLectern();
  owner = lectern.customer();
  stranger = lectern.customer();
  [fileId] = (await lectern.upload(
    owner.key,
    "shared-name",
    { "secret.txt": "The vault opens with the word pineapple." },
    { extraMeta: '{"tag":"x"}' },
  )) as [string];
  await lectern.upload(stranger.key, "shared-name", { "public.txt": "The garden is open to everybody." });
});
afterAll(() => lectern.stop());

const asStranger = (method: string, path: string, json?: unknown) =>
  lectern.call(method, path, { key: stranger.key, ...(json !== undefined && { json }) });

test("a dataset of the same name is another dataset", async () => {
  for (const path of ["/v1/search", "/v1/query"]) {
    const reply = await asStranger("POST", path, { datasetId: "shared-name", question: "Which word opens the vault?" });
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain("pineapple");
    expect(reply.text).not.toContain("secret.txt");
  }
  expect((await asStranger("GET", "/v1/files?datasetId=shared-name")).text).not.toContain("secret.txt");
});

test("listings show nobody else's datasets and files, nor does another's cursor", async () => {
  await lectern.upload(owner.key, "of the owner", { "secret.txt": "The cellar opens with the word banana." });
  expect((await asStranger("GET", "/v1/datasets")).body.data).toMatchObject([{ datasetId: "shared-name", files: 1 }]);
  expect((await asStranger("GET", "/v1/files?datasetId=shared-name&name=secret.txt")).body.files).toEqual([]);
  for (const path of ["/v1/datasets?limit=1", "/v1/files?datasetId=shared-name&limit=1"]) {
    await lectern.upload(owner.key, "shared-name", { "another.txt": "One more text of the owner." });
    const { nextCursor } = (await lectern.call("GET", path, { key: owner.key })).body;
    expect(nextCursor).toBeString();
    const reply = await asStranger("GET", `${path}&cursor=${nextCursor}`);
    expect(reply).toMatchObject({ status: 400, body: { error: "INVALID_REQUEST" } });
  }
  expect((await lectern.call("DELETE", "/v1/datasets/of%20the%20owner/files", { key: owner.key })).status).toBe(200);
  const added = (await lectern.call("GET", "/v1/files?datasetId=shared-name&name=another.txt", { key: owner.key }))
    .body;
  for (const file of added.files) await lectern.call("DELETE", `/v1/files/${file.fileId}`, { key: owner.key });
});

test("filters cannot reach over", async () => {
  for (const match of [
    { key: "fileId", value: fileId },
    { key: "customerId", value: owner.customerId },
    { key: "tag", value: "x" },
  ]) {
    const reply = await asStranger("POST", "/v1/search", {
      datasetId: "shared-name",
      question: "vault",
      filters: [{ key: match.key, match: { value: match.value } }],
    });
    expect(reply.body).toEqual({ success: true, data: [] });
  }
});

test("another's file is answered exactly as one that never was", async () => {
  for (const method of ["GET", "DELETE"]) {
    const [foreign, unknown] = [
      await asStranger(method, `/v1/files/${fileId}`),
      await asStranger(method, "/v1/files/01900000-0000-7000-8000-000000000000"),
    ];
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
  }
});

test("a customer's token of the same dataset name stays with its customer", async () => {
  const { token } = (await asStranger("POST", "/v1/tokens/create", { datasetId: "shared-name" })).body;
  const reply = await lectern.call("POST", "/v1/search", { key: token, json: { question: "vault" } });
  expect(reply.body.data.map((result: { metadata: { originalName: string } }) => result.metadata.originalName)).toEqual(
    ["public.txt"],
  );
  expect((await lectern.call("GET", `/v1/files/${fileId}`, { key: token })).status).toBe(404);
});

test("deletions stay with their customer", async () => {
  await lectern.upload(owner.key, "only-mine", { "a.txt": "A dataset of the owner alone." });
  expect((await asStranger("DELETE", "/v1/datasets/only-mine/files")).status).toBe(404);
  expect((await asStranger("DELETE", "/v1/datasets/shared-name/files")).body.files).toHaveLength(1);
  expect((await asStranger("DELETE", "/v1/files")).body.files).toHaveLength(0);
  expect((await lectern.call("GET", "/v1/files?datasetId=shared-name", { key: owner.key })).body.files).toHaveLength(1);
  expect((await lectern.search(owner.key, "shared-name", "vault")).text).toContain("pineapple");
});
