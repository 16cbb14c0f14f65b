/** Uploads of files that their owner calls something: they take the place of the former one, in one moment, or do nothing. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startLectern, until, uploadForm, type TestCustomer, type TestServer } from "../harness.ts";
import { remainsOf } from "../operations/many-files.ts";

let lectern: TestServer;
let customer: TestCustomer;

beforeAll(async () => {
  lectern = await startLectern({
    "rate-upload": "100000",
    "rate-retrieval": "100000",
    "log-level": "error",
  });
  customer = lectern.customer();
});
afterAll(() => lectern.stop());

const post = (fields: Record<string, string>, files: Record<string, string>, key = customer.key) =>
  lectern.call("POST", "/v1/files/upload", { key, body: uploadForm(fields, files) });
const list = async (datasetId: string) =>
  (await lectern.call("GET", `/v1/files?datasetId=${datasetId}`, { key: customer.key })).body.files;

async function found(datasetId: string, question = "the gate"): Promise<{ pageContent: string }[]> {
  const { status, text, body } = await lectern.search(customer.key, datasetId, question);
  if (status !== 200) throw new Error(`The search was answered ${status}: ${text} ${lectern.logLines.join("\n")}`);
  return body.data;
}

const EARLIER = "The gate opens at eight in the morning.";
const LATER = "The gate opens at nine in the morning.";

describe("a file of the same externalId", () => {
  test("takes the place of the former one, for searches, listings and downloads", async () => {
    const first = (await post({ datasetId: "gates", externalId: "gate" }, { "gate.txt": EARLIER })).body.files[0];
    const { status, body } = await post({ datasetId: "gates", externalId: "gate" }, { "gate.md": LATER });
    expect(status).toBe(200);
    expect(body.message).toBe("Uploaded and indexed 1 file.");
    expect(body.files[0]).toMatchObject({ externalId: "gate", originalName: "gate.md" });
    expect(body.files[0].fileId).not.toBe(first.fileId);
    expect(body.files[0]).not.toHaveProperty("unchanged");
    expect((await found("gates")).map(({ pageContent }) => pageContent)).toEqual([LATER]);
    expect(await list("gates")).toEqual(body.files);
    const former = await lectern.call("GET", `/v1/files/${first.fileId}`, { key: customer.key });
    expect(former.status).toBe(404);
  });

  test("leaves nothing of the former one behind", async () => {
    await post({ datasetId: "gates", externalId: "gate" }, { "gate.md": "The gate is closed for good." });
    const { files } = lectern.appliance.store.statistics();
    await until(() => remainsOf(lectern.directory).discarded === 0, 20_000);
    expect(remainsOf(lectern.directory)).toMatchObject({ files, onDisk: 2 * files });
  });

  test("in another dataset, or of another customer, is another file", async () => {
    const other = lectern.customer();
    await post({ datasetId: "here", externalId: "same" }, { "a.txt": EARLIER });
    await post({ datasetId: "there", externalId: "same" }, { "a.txt": LATER });
    await post({ datasetId: "here", externalId: "same" }, { "a.txt": LATER }, other.key);
    expect((await found("here")).map(({ pageContent }) => pageContent)).toEqual([EARLIER]);
    expect(await list("there")).toHaveLength(1);
  });

  test("takes it together with the others of its upload", async () => {
    const files = { "one.txt": "The gate is green.", "two.txt": "The gate is wide.", "three.txt": "The gate is old." };
    const externalIds = '{"one.txt":"1","two.txt":"2"}';
    await post({ datasetId: "several", externalIds }, files);
    const changed = { ...files, "one.txt": "The gate is red." };
    const { body } = await post({ datasetId: "several", externalIds }, changed);
    expect(body.message).toBe("Uploaded and indexed 2 files; 1 file unchanged.");
    expect(body.files.map((file: { unchanged?: true }) => file.unchanged ?? false)).toEqual([false, true, false]);
    expect((await list("several")).map(({ originalName }: { originalName: string }) => originalName).sort()).toEqual([
      "one.txt",
      "three.txt",
      "three.txt",
      "two.txt",
    ]);
  });

  test("is left where one of its upload cannot be read", async () => {
    const externalIds = '{"a.txt":"a"}';
    await post({ datasetId: "half", externalIds }, { "a.txt": EARLIER });
    expect((await post({ datasetId: "half", externalIds }, { "a.txt": LATER, "b.txt": "" })).status).toBe(400);
    expect((await found("half")).map(({ pageContent }) => pageContent)).toEqual([EARLIER]);
    expect(lectern.appliance.store.pendingFiles()).toEqual([]);
  });

  test("can be deleted by it", async () => {
    await post({ datasetId: "by-id", externalId: "a b/ü" }, { "a.txt": EARLIER });
    await post({ datasetId: "by-id", externalId: "other" }, { "b.txt": LATER });
    const at = `/v1/datasets/by-id/files?externalId=${encodeURIComponent("a b/ü")}`;
    const { body } = await lectern.call("DELETE", at, { key: customer.key });
    expect(body).toMatchObject({ message: "Deleted 1 file.", files: [{ externalId: "a b/ü" }] });
    expect((await lectern.call("DELETE", at, { key: customer.key })).body.error).toBe("FILE_NOT_FOUND");
    expect(await list("by-id")).toHaveLength(1);
  });

  test("empty, deletes nothing", async () => {
    await post({ datasetId: "empty-id", externalId: "a" }, { "a.txt": EARLIER });
    const { status } = await lectern.call("DELETE", "/v1/datasets/empty-id/files?externalId=", { key: customer.key });
    expect(status).toBe(400);
    expect(await list("empty-id")).toHaveLength(1);
  });
});

describe("an upload that would change nothing", () => {
  const fields = {
    datasetId: "same",
    externalId: "gate",
    path: "town/gate.txt",
    extraMeta: '{"year":2024,"tags":["a"]}',
  };

  test("does nothing, says so, and costs nothing", async () => {
    const payer = lectern.customer(2);
    const first = (await post(fields, { "gate.txt": EARLIER }, payer.key)).body.files[0];
    const { status, body } = await post(fields, { "gate.txt": EARLIER }, payer.key);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: "Uploaded and indexed 0 files; 1 file unchanged.",
      files: [{ ...first, unchanged: true }],
    });
    expect(lectern.appliance.access.customer(payer.customerId)!.balanceThousandths).toBe(1000);
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["bytes", {}, { "gate.txt": LATER }],
    ["name", {}, { "gate.md": EARLIER }],
    ["path", { path: "village/gate.txt" }, { "gate.txt": EARLIER }],
    ["chunking", { chunkSize: "50" }, { "gate.txt": EARLIER }],
    ["metadata", { extraMeta: '{"year":2025,"tags":["a"]}' }, { "gate.txt": EARLIER }],
  ])("is none where the %s differ", async (_, changed, files) => {
    await post(fields, { "gate.txt": EARLIER });
    const { body } = await post({ ...fields, ...changed }, files);
    expect(body.files[0]).not.toHaveProperty("unchanged");
    expect(await list("same")).toHaveLength(1);
  });

  test("is one, whatever the order of its metadata", async () => {
    await post(fields, { "gate.txt": EARLIER });
    const { body } = await post({ ...fields, extraMeta: '{"tags":["a"],"year":2024}' }, { "gate.txt": EARLIER });
    expect(body.files[0].unchanged).toBe(true);
  });
});

test("a path is shown with the file and each passage, can be filtered by, and goes before metadata of the same name", async () => {
  const extraMeta = '{"path":"elsewhere"}';
  await post({ datasetId: "paths", path: "./a//README.md", extraMeta }, { "README.md": "The gate of a." });
  await post({ datasetId: "paths", path: "b\\README.md" }, { "README.md": "The gate of b." });
  expect((await list("paths")).map(({ path }: { path: string }) => path)).toEqual(["b/README.md", "a/README.md"]);
  const filters = [{ key: "path", match: { value: "a/README.md" } }];
  const { body } = await lectern.search(customer.key, "paths", "the gate", { filters });
  expect(body.data.map(({ metadata }: { metadata: { path: string } }) => metadata.path)).toEqual(["a/README.md"]);
  const elsewhere = [{ key: "path", match: { value: "elsewhere" } }];
  expect((await lectern.search(customer.key, "paths", "the gate", { filters: elsewhere })).body.data).toEqual([]);
});

test("several files may have paths by name", async () => {
  const paths = '{"a.txt":"x/a.txt"}';
  const { body } = await post({ datasetId: "by-name", paths }, { "a.txt": EARLIER, "b.txt": LATER });
  expect(body.files.map(({ path }: { path?: string }) => path)).toEqual(["x/a.txt", undefined]);
});

describe("names that cannot be are refused, and nothing is stored:", () => {
  const two = { "a.txt": EARLIER, "b.txt": LATER };
  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    ["an externalId that is too long", { externalId: "x".repeat(513) }, { "a.txt": "a" }, "between 1 and 512"],
    ["an externalId with a control character", { externalId: "a\u0000b" }, { "a.txt": "a" }, "control character"],
    ["one externalId for two files", { externalId: "a" }, two, "externalIds, a JSON object by file name"],
    [
      "the same externalId twice",
      { externalIds: '{"a.txt":"x","b.txt":"x"}' },
      two,
      'two files have the externalId "x"',
    ],
    ["both fields", { externalId: "a", externalIds: '{"a.txt":"x"}' }, { "a.txt": "a" }, "are given both"],
    ["externalIds that are no JSON", { externalIds: "{a" }, two, "externalIds is not JSON"],
    ["externalIds that are a list", { externalIds: '["a"]' }, two, "not a JSON object"],
    ["externalIds that are numbers", { externalIds: '{"a.txt":1}' }, two, "something else than a string"],
    ["an empty externalId among others", { externalIds: '{"a.txt":""}' }, two, "between 1 and 512"],
    ["an externalId of a file that is not there", { externalIds: '{"c.txt":"c"}' }, two, "not among the files"],
    ["deep externalIds", { externalIds: `{"a.txt":${"[".repeat(100)}${"]".repeat(100)}}` }, two, "nested more than"],
    ["a path that leads upwards", { path: "a/../../b.txt" }, { "a.txt": "a" }, "leads out of its folder"],
    ["an absolute path", { path: "/etc/passwd" }, { "a.txt": "a" }, "is not relative"],
    ["a path on a drive", { path: "C:\\a.txt" }, { "a.txt": "a" }, "is not relative"],
    ["a path with NUL", { path: "a\u0000.txt" }, { "a.txt": "a" }, "control character"],
    ["a path of nothing", { path: "./." }, { "a.txt": "a" }, "names no file"],
    ["a path that is too long", { path: `${"a/".repeat(600)}b` }, { "a.txt": "a" }, "at most 1024"],
  ])("%s", async (_, fields, files, sentence) => {
    const { status, body } = await post({ datasetId: "refused", ...fields }, files);
    expect({ status, error: body.error }).toEqual({ status: 400, error: "INVALID_REQUEST" });
    expect(body.message).toContain(sentence);
    expect(await list("refused")).toEqual([]);
  });

  test("two files of one name, of which one would be meant", async () => {
    const form = uploadForm({ datasetId: "refused", paths: '{"a.txt":"a.txt"}' }, { "a.txt": EARLIER });
    form.append("file", new File([LATER], "a.txt"));
    const { status, body } = await lectern.call("POST", "/v1/files/upload", { key: customer.key, body: form });
    expect(status).toBe(400);
    expect(body.message).toContain("which 2 files are called; send them apart");
  });
});

test("whoever searches while files are replaced finds each of them once, never twice, never not at all", async () => {
  const DOCUMENTS = 4;
  const ROUNDS = 25;
  const version = (document: number, round: number) =>
    post(
      { datasetId: "busy", externalId: `doc-${document}` },
      { "note.txt": `The gate number ${document} opens at ${round} o'clock.` },
    );
  for (let document = 0; document < DOCUMENTS; document++) await version(document, 0);
  let replacing = true;
  let searches = 0;
  const wrong: string[][] = [];
  const searching = Array.from({ length: 3 }, async () => {
    while (replacing) {
      const passages = await found("busy", "when does the gate open?");
      const numbers = passages.map(({ pageContent }) => /number (\d)/.exec(pageContent)![1]!).sort();
      if (numbers.join() !== "0,1,2,3") wrong.push(passages.map(({ pageContent }) => pageContent));
      searches++;
    }
  });
  await Promise.all(
    Array.from({ length: DOCUMENTS }, async (_, document) => {
      for (let round = 1; round <= ROUNDS; round++) {
        const { status, text } = await version(document, round);
        if (status !== 200) throw new Error(text);
      }
    }),
  );
  replacing = false;
  await Promise.all(searching);
  expect(wrong).toEqual([]);
  expect(searches).toBeGreaterThan(10);
  expect(await list("busy")).toHaveLength(DOCUMENTS);
});

test("two uploads of one externalId at once leave one file", async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      post({ datasetId: "race", externalId: "one" }, { "a.txt": `The gate has ${at} bars.` }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(await list("race")).toHaveLength(1);
  expect(await found("race")).toHaveLength(1);
});
