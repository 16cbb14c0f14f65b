/** Listings in pages: datasets and files, with cursors that stay right, and what is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { check, startLectern, uploadForm, type Rule, type TestCustomer, type TestServer } from "../harness.ts";

let lectern: TestServer;
let customer: TestCustomer;

beforeAll(async () => {
  lectern = await startLectern({ "rate-upload": "100000" });
});
afterAll(() => lectern.stop());
beforeEach(() => {
  customer = lectern.customer();
});

const get = (path: string, key = customer.key) => lectern.call("GET", path, { key });
const tokenFor = async (datasetId: string) =>
  (await lectern.call("POST", "/v1/tokens/create", { key: customer.key, json: { datasetId } })).body.token as string;

/** What every page of a listing holds under `field`, until there is no next one. */
async function allPages(path: string, field: "data" | "files", between = async () => {}): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await get(cursor === "" ? path : `${path}&cursor=${cursor}`);
    expect(status).toBe(200);
    expect(body.success).toBe(true);
    pages.push(
      body[field].map((item: Record<string, unknown>) => item.datasetId && (item.originalName ?? item.datasetId)),
    );
    cursor = body.nextCursor;
    await between();
  }
  return pages;
}

async function store(datasetId: string, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names)
    ids.push(...(await lectern.upload(customer.key, datasetId, { [name]: `This is the text of ${name}.` })));
  return ids;
}

describe("datasets", () => {
  test("ordered by id, with what their files come to", async () => {
    const before = Date.now();
    for (const name of ["zoo", "Bücher & Co. 日本", "alpha"]) await store(name, ["a.txt", "b.txt"]);
    const { status, body } = await get("/v1/datasets");
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["success", "data", "nextCursor"]);
    expect(body).toMatchObject({ success: true, nextCursor: null });
    expect(body.data.map(({ datasetId }: { datasetId: string }) => datasetId)).toEqual([
      "Bücher & Co. 日本",
      "alpha",
      "zoo",
    ]);
    const { files } = (await get("/v1/files?datasetId=alpha")).body;
    expect(body.data[1]).toEqual({
      datasetId: "alpha",
      files: 2,
      chunks: 2,
      bytes: files[0].size + files[1].size,
      created: files[1].created,
      updated: files[0].created,
    });
    expect(Date.parse(body.data[1].created)).toBeGreaterThanOrEqual(before);
  });

  test("follow every upload and deletion", async () => {
    const totals = async () =>
      (await get("/v1/datasets")).body.data.map((dataset: Record<string, unknown>) => [
        dataset.files,
        dataset.chunks,
        dataset.bytes,
      ]);
    expect(await totals()).toEqual([]);
    const [first] = await lectern.upload(customer.key, "d", { "a.txt": "Ten bytes." });
    expect(await totals()).toEqual([[1, 1, 10]]);
    const [second] = await lectern.upload(customer.key, "d", { "b.txt": "Twelve bytes" });
    expect(await totals()).toEqual([[2, 2, 22]]);
    await lectern.call("DELETE", `/v1/files/${first}`, { key: customer.key });
    expect(await totals()).toEqual([[1, 1, 12]]);
    await lectern.call("DELETE", `/v1/files/${second}`, { key: customer.key });
    await lectern.upload(customer.key, "d", { "c.txt": "Of twenty bytes now." });
    expect(await totals()).toEqual([[1, 1, 20]]);
  });

  test("one whose files were all deleted is not listed, until there is one again", async () => {
    const [fileId] = await store("emptied", ["a.txt"]);
    await store("kept", ["a.txt"]);
    await store("removed", ["a.txt"]);
    await lectern.call("DELETE", `/v1/files/${fileId}`, { key: customer.key });
    await lectern.call("DELETE", "/v1/datasets/removed/files", { key: customer.key });
    expect(await allPages("/v1/datasets?limit=5", "data")).toEqual([["kept"]]);
    const before = new Date().toISOString();
    await store("removed", ["b.txt"]);
    const { data } = (await get("/v1/datasets")).body;
    expect(data).toMatchObject([{ datasetId: "kept" }, { datasetId: "removed", files: 1 }]);
    expect(data[1].created >= before).toBe(true);
  });

  test("in pages, while datasets come and go", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await store(name, ["x.txt"]);
    expect(await allPages("/v1/datasets?limit=2", "data")).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(await allPages("/v1/datasets?limit=5", "data")).toEqual([["a", "b", "c", "d", "e"]]);
    let turn = 0;
    const pages = await allPages("/v1/datasets?limit=2", "data", async () => {
      if (++turn > 1) return;
      await store("a-late", ["x.txt"]);
      await store("dd", ["x.txt"]);
      await lectern.call("DELETE", "/v1/datasets/b/files", { key: customer.key });
      await lectern.call("DELETE", "/v1/datasets/c/files", { key: customer.key });
    });
    expect(pages).toEqual([["a", "b"], ["d", "dd"], ["e"]]);
  });

  test("a hundred on a page that nobody asked for", async () => {
    for (let at = 0; at < 101; at++) await store(`dataset ${String(at).padStart(3, "0")}`, ["x.txt"]);
    const { data, nextCursor } = (await get("/v1/datasets")).body;
    expect(data).toHaveLength(100);
    expect((await get(`/v1/datasets?cursor=${nextCursor}`)).body).toMatchObject({
      data: [{ datasetId: "dataset 100" }],
      nextCursor: null,
    });
  });

  test("a token sees its own alone", async () => {
    for (const name of ["a", "b"]) await store(name, ["x.txt"]);
    expect((await get("/v1/datasets", await tokenFor("b"))).body).toMatchObject({
      data: [{ datasetId: "b", files: 1 }],
      nextCursor: null,
    });
    expect((await get("/v1/datasets", await tokenFor("nowhere"))).body.data).toEqual([]);
    const { nextCursor } = (await get("/v1/datasets?limit=1")).body;
    expect((await get(`/v1/datasets?cursor=${nextCursor}`, await tokenFor("a"))).body.data).toEqual([]);
  });
});

describe("files", () => {
  const names = ["1.txt", "2.txt", "3.txt", "4.txt", "5.txt"];

  test("all of them without a limit, in the same envelope as ever", async () => {
    await store("d", names);
    const all = await get("/v1/files?datasetId=d");
    expect(Object.keys(all.body)).toEqual(["success", "files", "message"]);
    expect((await get("/v1/files?datasetId=d&limit=&cursor=&name=")).text).toBe(all.text);
    const paged = (await get("/v1/files?datasetId=d&limit=1000")).body;
    expect(paged).toEqual({ ...all.body, nextCursor: null });
  });

  test("newest first in pages", async () => {
    await store("d", names);
    expect(await allPages("/v1/files?datasetId=d&limit=2", "files")).toEqual([
      ["5.txt", "4.txt"],
      ["3.txt", "2.txt"],
      ["1.txt"],
    ]);
    expect(await allPages("/v1/files?datasetId=d&limit=5", "files")).toEqual([names.toReversed()]);
    const first = (await get("/v1/files?datasetId=d&limit=2")).body;
    expect(first.message).toBe("Found 2 files.");
    expect((await get(`/v1/files?datasetId=d&cursor=${first.nextCursor}`)).body).toMatchObject({
      files: { length: 3 },
      nextCursor: null,
    });
    expect(await allPages("/v1/files?datasetId=nowhere&limit=2", "files")).toEqual([[]]);
  });

  test("files that come and go between two pages shift none of the others", async () => {
    const ids = await store("d", names);
    let turn = 0;
    const pages = await allPages("/v1/files?datasetId=d&limit=2", "files", async () => {
      if (++turn > 1) return;
      await store("d", ["late.txt"]);
      // The one that the cursor stands at, and the next one.
      for (const id of [ids[3], ids[2]]) await lectern.call("DELETE", `/v1/files/${id}`, { key: customer.key });
    });
    expect(pages).toEqual([
      ["5.txt", "4.txt"],
      ["2.txt", "1.txt"],
    ]);
  });

  test("by their exact name", async () => {
    await store("d", ["a.txt", "b.txt", "a.txt", "A.txt", "a.txt", "ä ?&.txt"]);
    await store("e", ["a.txt"]);
    expect(await allPages("/v1/files?datasetId=d&name=a.txt&limit=2", "files")).toEqual([
      ["a.txt", "a.txt"],
      ["a.txt"],
    ]);
    const all = (await get("/v1/files?datasetId=d&name=a.txt")).body;
    expect(all).toMatchObject({ message: "Found 3 files.", files: { length: 3 } });
    expect(all).not.toHaveProperty("nextCursor");
    expect((await get(`/v1/files?datasetId=d&name=${encodeURIComponent("ä ?&.txt")}`)).body.files).toHaveLength(1);
    expect((await get("/v1/files?datasetId=d&name=.txt")).body.files).toEqual([]);
    expect((await get("/v1/files?name=a.txt", await tokenFor("e"))).body.files).toHaveLength(1);
  });

  test("by their external id", async () => {
    const put = (externalId: string) =>
      lectern.call("POST", "/v1/files/upload", {
        key: customer.key,
        body: uploadForm({ datasetId: "d", externalId }, { "a.txt": `The text of ${externalId}.` }),
      });
    for (const externalId of ["one", "two", "ä ?&"]) expect((await put(externalId)).status).toBe(200);
    await store("d", ["b.txt"]);
    for (const [query, found] of [
      ["externalId=two", ["two"]],
      [`externalId=${encodeURIComponent("ä ?&")}`, ["ä ?&"]],
      ["externalId=Two", []],
      ["externalId=two&name=a.txt", ["two"]],
      ["externalId=two&name=b.txt", []],
      ["externalId=two&limit=1", ["two"]],
      ["externalId=&name=a.txt", ["ä ?&", "two", "one"]],
    ] as const) {
      const { files } = (await get(`/v1/files?datasetId=d&${query}`)).body;
      expect(
        files.map((file: { externalId: string }) => file.externalId),
        query,
      ).toEqual([...found]);
    }
    expect((await get("/v1/files?datasetId=e&externalId=two")).body.files).toEqual([]);
  });

  test("a page longer than what is read at one go", async () => {
    await lectern.upload(
      customer.key,
      "d",
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}.txt`, `Text ${at}.`])),
    );
    for (const [limit, lengths] of [
      [99, [99, 1]],
      [100, [100]],
    ] as const)
      expect((await allPages(`/v1/files?datasetId=d&limit=${limit}`, "files")).map(({ length }) => length)).toEqual([
        ...lengths,
      ]);
    await store("d", ["one.txt", "more.txt"]);
    expect((await allPages("/v1/files?datasetId=d&limit=101", "files")).map(({ length }) => length)).toEqual([101, 1]);
  });
});

describe("refused", () => {
  const limits = ["0", "1001", "-1", "1.5", "1e2", "ten", " 5", "+5", "0x10", "null", "99999999999999999999"];
  const rules: Rule[] = ["/v1/datasets?", "/v1/files?datasetId=d&"].flatMap((path) => [
    ...limits.map((limit) => ({
      rule: `${path}limit=${limit}`,
      path: `${path}limit=${encodeURIComponent(limit)}`,
      call: {},
      status: 400,
      body: {
        error: "INVALID_REQUEST",
        message: "The request cannot be read: limit must be a whole number between 1 and 1000.",
      },
    })),
    ...["x", "AAAA", "a".repeat(60), "%00", "🙂", "'; DROP TABLE files"].map((cursor) => ({
      rule: `${path}cursor=${cursor}`,
      path: `${path}cursor=${encodeURIComponent(cursor)}`,
      call: {},
      status: 400,
      holds: ["INVALID_REQUEST", "cursor is none that this listing gave"],
    })),
  ]);
  test.each(rules)("$rule", async (rule) => {
    check(await get(rule.path!), rule);
  });

  test("a cursor of another listing, or one that was changed", async () => {
    await store("d", ["a.txt", "b.txt", "a.txt"]);
    await store("e", ["a.txt"]);
    const cursorOf = async (path: string) => (await get(path)).body.nextCursor as string;
    const [ofFiles, ofName, ofDatasets] = [
      await cursorOf("/v1/files?datasetId=d&limit=1"),
      await cursorOf("/v1/files?datasetId=d&limit=1&name=a.txt"),
      await cursorOf("/v1/datasets?limit=1"),
    ];
    const changed = `${ofFiles.slice(0, -2)}${ofFiles.endsWith("AA") ? "BB" : "AA"}`;
    for (const path of [
      `/v1/files?datasetId=e&cursor=${ofFiles}`,
      `/v1/files?datasetId=d&name=a.txt&cursor=${ofFiles}`,
      `/v1/files?datasetId=d&cursor=${ofName}`,
      `/v1/files?datasetId=d&cursor=${ofDatasets}`,
      `/v1/files?datasetId=d&cursor=${changed}`,
      `/v1/files?datasetId=d&cursor=${ofFiles.slice(0, -4)}`,
      `/v1/datasets?cursor=${ofFiles}`,
    ])
      expect(await get(path), path).toMatchObject({ status: 400, body: { error: "INVALID_REQUEST" } });
    // The changes above are what is refused.
    expect((await get(`/v1/files?datasetId=d&cursor=${ofFiles}`)).status).toBe(200);
  });

  test("a token for another dataset, before anything is read", async () => {
    expect(await get("/v1/files?datasetId=d&limit=2", await tokenFor("e"))).toMatchObject({ status: 403 });
  });
});

test("cursors outlive a restart, and tell nothing of what others have stored", async () => {
  await store("d", ["a.txt", "b.txt"]);
  const { nextCursor } = (await get("/v1/files?datasetId=d&limit=1")).body;
  expect((await get("/v1/files?datasetId=d&limit=1")).body.nextCursor).not.toBe(nextCursor);
  await lectern.restart();
  expect((await get(`/v1/files?datasetId=d&cursor=${nextCursor}`)).body.files).toMatchObject([
    { originalName: "a.txt" },
  ]);
});

test("a file that takes another's place is counted and listed in its stead", async () => {
  const put = (text: string) =>
    lectern.upload(customer.key, "d", { "a.txt": text }, { externalId: "one and the same" });
  await put("Ten bytes.");
  await store("d", ["b.txt"]);
  const sizes = async () => (await get("/v1/files?datasetId=d")).body.files.map(({ size }: { size: number }) => size);
  for (const text of ["Twelve bytes", "Of twenty bytes now."]) {
    await put(text);
    const total = (await sizes()).reduce((sum: number, size: number) => sum + size, 0);
    expect((await get("/v1/datasets")).body.data).toMatchObject([{ files: 2, bytes: total }]);
    expect((await get("/v1/files?datasetId=d&name=a.txt")).body.files).toMatchObject([{ size: text.length }]);
  }
});
