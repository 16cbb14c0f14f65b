/** POST /v1/files/upload, rule by rule. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { check, startLectern, uploadForm, type Rule, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;
let token: string;

beforeAll(async () => {
  lectern = await startLectern({
    "max-file-bytes": "20000",
    "max-files-per-upload": "5",
    "rate-upload": "100000",
    "max-upload-chunks": "100",
  });
  customer = lectern.customer();
  token = (await lectern.call("POST", "/v1/tokens/create", { key: customer.key, json: { datasetId: "mine" } })).body
    .token;
});
afterAll(() => lectern.stop());

type Files = Record<string, string | Uint8Array<ArrayBuffer>>;
const post = (fields: Record<string, string>, files: Files, key = customer.key) =>
  lectern.call("POST", "/v1/files/upload", { key, body: uploadForm(fields, files) });
const text = "Bees make honey from the nectar of flowers.";

/** Every file under a folder of the data directory. */
async function bytesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(lectern.directory, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

test("answers the stored files, complete, which the very next search finds", async () => {
  const { status, body } = await post(
    { datasetId: "bees", extraMeta: '{"year":2024}' },
    { "bees.md": `# Bees\n\n${text}`, "wasps.txt": "Wasps build nests of paper." },
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: true, message: "Uploaded and indexed 2 files." });
  expect(body.files[0]).toEqual({
    fileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    originalName: "bees.md",
    datasetId: "bees",
    customerId: customer.customerId,
    filePath: expect.stringMatching(/^files\/[0-9a-f]{2}\/[0-9a-f-]{36}$/),
    mimeType: "text/markdown",
    size: text.length + 8,
    sha256: new Bun.CryptoHasher("sha256").update(`# Bees\n\n${text}`).digest("hex"),
    loaderId: "markdown",
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    extension: "md",
    status: "ready",
    transcriptionText: null,
    transcriptionSrt: null,
    extraMeta: { year: 2024 },
  });
  const found = await lectern.search(customer.key, "bees", "Who makes honey?");
  expect(found.body.data[0].metadata).toMatchObject({ fileId: body.files[0].fileId, year: 2024 });
});

test("the same file twice is two files", async () => {
  const [first] = await lectern.upload(customer.key, "twice", { "a.txt": text });
  const [second] = await lectern.upload(customer.key, "twice", { "a.txt": text });
  expect(first).not.toBe(second);
  const { files } = (await lectern.call("GET", "/v1/files?datasetId=twice", { key: customer.key })).body;
  expect(files.map(({ fileId }: { fileId: string }) => fileId)).toEqual([second, first]);
  // A search shows their common passage once, and names both.
  const [passage, ...others] = (await lectern.search(customer.key, "twice", "honey")).body.data;
  expect(others).toEqual([]);
  expect([passage.metadata.fileId, ...passage.alsoIn.map(({ fileId }: { fileId: string }) => fileId)].sort()).toEqual(
    [first, second].sort(),
  );
});

test("fields may follow the files, and the part may be named files", async () => {
  const form = new FormData();
  form.append("files", new File([text], "late.txt"));
  form.append("datasetId", "late");
  expect((await lectern.call("POST", "/v1/files/upload", { key: customer.key, body: form })).status).toBe(200);
});

test("chunkSize and chunkOverlap shape the chunks", async () => {
  const long = Array.from({ length: 40 }, (_, index) => `Sentence number ${index} tells something of its own.`).join(
    " ",
  );
  await lectern.upload(customer.key, "small", { "a.txt": long }, { chunkSize: "20", chunkOverlap: "0" });
  await lectern.upload(customer.key, "large", { "a.txt": long }, { chunkSize: "1000" });
  const chunks = (dataset: string) => lectern.appliance.store.dataset(customer.customerId, dataset)!.chunkCount;
  expect(chunks("small")).toBeGreaterThan(10);
  expect(chunks("large")).toBe(1);
});

test("a token uploads into its own dataset without naming it", async () => {
  const { body } = await post({}, { "a.txt": text }, token);
  expect(body.files[0].datasetId).toBe("mine");
});

const rules: (Omit<Rule, "call"> & { fields?: Record<string, string>; files?: Files; token?: true })[] = [
  { rule: "no datasetId", fields: {}, status: 400, body: { error: "datasetId is required" } },
  { rule: "an empty datasetId", fields: { datasetId: "" }, status: 400, body: { error: "datasetId is required" } },
  {
    rule: "a datasetId of 101 characters",
    fields: { datasetId: "d".repeat(101) },
    status: 400,
    body: { error: "datasetId must be between 1 and 100 characters" },
  },
  { rule: "a datasetId with NUL", fields: { datasetId: "a\0b" }, status: 400, holds: ["INVALID_REQUEST"] },
  { rule: "a datasetId like a path", fields: { datasetId: "../../etc" }, status: 200 },
  {
    rule: "a token and another dataset",
    fields: { datasetId: "other" },
    token: true,
    status: 403,
    holds: ["DATASET_MISMATCH"],
  },
  { rule: "no file", files: {}, status: 400, holds: ['"error":"NO_FILE"'] },
  {
    rule: "an empty file",
    files: { "empty.txt": "" },
    status: 400,
    holds: ['"error":"EMPTY_FILE"', '"details":{"file":"empty.txt"}'],
  },
  {
    rule: "a file of blanks",
    files: { "blank.txt": " \n\n " },
    status: 400,
    holds: ['"error":"NO_TEXT"', '"file":"blank.txt"'],
  },
  {
    rule: "a program",
    files: { "tool.bin": new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, ...new Uint8Array(200)]) },
    status: 400,
    holds: ['"error":"UNSUPPORTED_FILE_TYPE"', '"file":"tool.bin"'],
  },
  {
    rule: "a broken PDF",
    files: { "broken.pdf": "%PDF-1.7\nnothing of the kind" },
    status: 400,
    holds: ['"error":"UNREADABLE_FILE"', '"file":"broken.pdf"'],
  },
  {
    rule: "a file one byte too large",
    files: { "big.txt": "x".repeat(20_001) },
    status: 413,
    holds: ['"error":"PAYLOAD_TOO_LARGE"', '"details":{"limit":20000}', "big.txt"],
  },
  {
    rule: "more files than an upload may hold",
    files: Object.fromEntries("abcdef".split("").map((name) => [name, text])),
    status: 400,
    holds: ["INVALID_REQUEST", "more than 5 files"],
  },
  {
    rule: "chunkSize 9",
    fields: { datasetId: "d", chunkSize: "9" },
    status: 400,
    holds: ['"error":"INVALID_CHUNKING"', "10"],
  },
  { rule: "chunkSize 4001", fields: { datasetId: "d", chunkSize: "4001" }, status: 400, holds: ["INVALID_CHUNKING"] },
  { rule: "chunkSize 12.5", fields: { datasetId: "d", chunkSize: "12.5" }, status: 400, holds: ["INVALID_CHUNKING"] },
  {
    rule: "chunkSize huge",
    fields: { datasetId: "d", chunkSize: "9".repeat(400) },
    status: 400,
    holds: ["INVALID_CHUNKING"],
  },
  { rule: "chunkSize a word", fields: { datasetId: "d", chunkSize: "many" }, status: 400, holds: ["INVALID_CHUNKING"] },
  {
    rule: "chunkOverlap as large as chunkSize",
    fields: { datasetId: "d", chunkSize: "50", chunkOverlap: "50" },
    status: 400,
    holds: ["INVALID_CHUNKING"],
  },
  {
    rule: "chunkOverlap negative",
    fields: { datasetId: "d", chunkOverlap: "-1" },
    status: 400,
    holds: ["INVALID_CHUNKING"],
  },
  { rule: "chunkSize 10 alone, which halves the overlap", fields: { datasetId: "d", chunkSize: "10" }, status: 200 },
  {
    rule: "extraMeta no JSON",
    fields: { datasetId: "d", extraMeta: "{" },
    status: 400,
    holds: ['"error":"INVALID_METADATA"'],
  },
  { rule: "extraMeta an array", fields: { datasetId: "d", extraMeta: "[]" }, status: 400, holds: ["INVALID_METADATA"] },
  { rule: "extraMeta null", fields: { datasetId: "d", extraMeta: "null" }, status: 400, holds: ["INVALID_METADATA"] },
  {
    rule: "extraMeta over 16 KiB",
    fields: { datasetId: "d", extraMeta: JSON.stringify({ a: "x".repeat(16 * 1024) }) },
    status: 400,
    holds: ["INVALID_METADATA", "16384"],
  },
  {
    rule: "extraMeta over every limit",
    fields: { datasetId: "d", extraMeta: JSON.stringify({ a: "x".repeat(200_000) }) },
    status: 400,
    holds: ["INVALID_METADATA"],
  },
  {
    rule: "extraMeta claiming fileId",
    fields: { datasetId: "d", extraMeta: '{"fileId":"x"}' },
    status: 400,
    holds: ["INVALID_METADATA", "fileId"],
  },
  {
    rule: "extraMeta claiming customerId",
    fields: { datasetId: "d", extraMeta: '{"customerId":"x"}' },
    status: 400,
    holds: ["INVALID_METADATA"],
  },
  {
    rule: "extraMeta nested very deeply",
    fields: { datasetId: "d", extraMeta: `{"a":${"[".repeat(64)}${"]".repeat(64)}}` },
    status: 400,
    holds: ["INVALID_METADATA", "more than 64 levels"],
  },
  {
    rule: "extraMeta nested less deeply",
    fields: { datasetId: "d", extraMeta: `{"a":${"[".repeat(63)}${"]".repeat(63)}}` },
    status: 200,
  },
  {
    rule: "extraMeta with keys of Object.prototype",
    fields: { datasetId: "d", extraMeta: '{"__proto__":{"x":1},"constructor":1,"toString":null}' },
    status: 200,
  },
  {
    rule: "extraMeta with half a surrogate pair",
    fields: { datasetId: "d", extraMeta: '{"a":"\\ud800"}' },
    status: 200,
  },
];

test.each(rules)("$rule → $status", async (rule) => {
  const reply = await post(
    rule.fields ?? (rule.token ? {} : { datasetId: "rules" }),
    rule.files ?? { "a.txt": text },
    rule.token ? token : customer.key,
  );
  check(reply, { ...rule, call: {} });
});

test("one bad file among good ones: none is kept, nothing is charged, nothing lies on disk", async () => {
  const poor = lectern.customer(10);
  const before = await bytesIn("files");
  const reply = await post({ datasetId: "mixed" }, { "good.txt": text, "bad.txt": "", "good-2.txt": text }, poor.key);
  expect(reply).toMatchObject({ status: 400, body: { error: "EMPTY_FILE", details: { file: "bad.txt" } } });
  expect((await lectern.call("GET", "/v1/files?datasetId=mixed", { key: poor.key })).body.files).toEqual([]);
  expect(lectern.appliance.access.balance(poor.customerId)).toBe(10_000);
  expect(lectern.appliance.access.pendingCharges()).toEqual([]);
  expect(await bytesIn("files")).toEqual(before);
  expect(await bytesIn("staging")).toEqual([]);
});

test("an upload that would make too many chunks is refused, alone or file by file, and given back", async () => {
  const poor = lectern.customer(10);
  const words = "one two three four five six seven eight nine ten ".repeat(40);
  const tiny = { datasetId: "tiny", chunkSize: "10", chunkOverlap: "7" };
  const alone = await post(tiny, { "long.txt": words.repeat(8) }, poor.key);
  expect(alone).toMatchObject({
    status: 400,
    body: {
      error: "UNREADABLE_FILE",
      message: expect.stringContaining("the limit is 100"),
      details: { file: "long.txt" },
    },
  });
  const halves = await post(
    { datasetId: "tiny", chunkSize: "10", chunkOverlap: "0" },
    { "a.txt": words, "b.txt": words, "c.txt": words, "d.txt": words },
    poor.key,
  );
  expect(halves).toMatchObject({
    status: 400,
    body: { error: "UNREADABLE_FILE", message: expect.stringContaining("more than 100 chunks") },
  });
  expect(lectern.appliance.access.balance(poor.customerId)).toBe(10_000);
  expect((await post(tiny, { "short.txt": text }, poor.key)).status).toBe(200);
});

describe("size comes first", () => {
  test("a declared length beyond any upload is refused before who is asked", async () => {
    const response = await rawRequest(
      "POST /v1/files/upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 99999999999\r\n\r\n",
    );
    expect(response).toStartWith("HTTP/1.1 413");
    expect(response).toContain("PAYLOAD_TOO_LARGE");
  });

  test("a file over the limit costs nothing and counts nothing", async () => {
    const poor = lectern.customer(1);
    const reply = await post({ datasetId: "d" }, { "big.txt": "x".repeat(30_000) }, poor.key);
    expect(reply.status).toBe(413);
    expect(reply.headers.get("x-ratelimit-remaining")).toBe("100000");
    expect(lectern.appliance.access.balance(poor.customerId)).toBe(1000);
  });
});

test("a client that goes away in the middle leaves nothing behind", async () => {
  const before = await bytesIn("files");
  const head = `POST /v1/files/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${customer.key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000\r\n\r\n`;
  await rawRequest(
    `${head}--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nsome of it`,
    300,
  );
  for (let waited = 0; (await bytesIn("staging")).length > 0 && waited < 30; waited++) await Bun.sleep(100);
  expect(await bytesIn("staging")).toEqual([]);
  expect(await bytesIn("files")).toEqual(before);
});

test("several uploads at once are all stored", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `file-${index}.txt`);
  await Promise.all(
    names.map((name) => lectern.upload(customer.key, "parallel", { [name]: `${text} Part of ${name}.` })),
  );
  const listed = (await lectern.call("GET", "/v1/files?datasetId=parallel", { key: customer.key })).body.files;
  expect(listed.map((file: { originalName: string }) => file.originalName).sort()).toEqual(names.sort());
});

/** Sends bytes as they are and resolves to what comes back within `milliseconds`, or at once when an answer has come. */
async function rawRequest(bytes: string, milliseconds = 3000): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(lectern.url);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_socket, data) => resolve(data.toString()), close: () => resolve("") },
  });
  socket.write(bytes);
  setTimeout(() => resolve(""), milliseconds);
  const answer = await promise;
  socket.end();
  return answer;
}

test("a file deleted while it is still being indexed leaves no ghosts that displace what is there", async () => {
  const { store, models } = lectern.appliance;
  const { search } = models.chosen;
  const add = search.add.bind(search);
  await post({ datasetId: "race" }, { "kept.txt": "Ships sail by the wind." });
  // An index that nobody has asked is not in memory, and takes no additions.
  await lectern.search(customer.key, "race", text);
  search.add = async (input) => {
    search.add = add;
    // The store has it; the index does not yet.
    const stored = store.filesOfDataset(store.dataset(customer.customerId, "race")!.id)[0]!;
    expect(
      (await lectern.call("DELETE", `/v1/files/${stored.fileId}`, { key: customer.key })).body.files[0].originalName,
    ).toBe("gone.txt");
    await add(input);
  };
  await post({ datasetId: "race", chunkSize: "10", chunkOverlap: "0" }, { "gone.txt": `${text} `.repeat(30) });
  const { body } = await lectern.search(customer.key, "race", text);
  expect(body.data.map((result: { pageContent: string }) => result.pageContent)).toEqual(["Ships sail by the wind."]);
});
