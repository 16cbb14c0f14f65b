/** What is said and what was scanned, over HTTP: recordings and pictures become text that is found, or are refused with a reason, unpaid. */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startLectern, until, uploadForm, type TestCustomer, type TestServer } from "../harness.ts";

// Models are loaded, and other tests may have the cores.
setDefaultTimeout(120_000);

const documents = join(import.meta.dir, "../documents");
const bytesOf = (path: string) => new Uint8Array(readFileSync(join(documents, path)));
const SPEECH = bytesOf("audio/samples/english.opus");

let lectern: TestServer;
let customer: TestCustomer;
beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.stop());
beforeEach(() => {
  customer = lectern.customer(5);
});

const upload = (files: Record<string, Uint8Array<ArrayBuffer> | string>, fields: Record<string, string> = {}) =>
  lectern.call("POST", "/v1/files/upload", {
    key: customer.key,
    body: uploadForm({ datasetId: "d", ...fields }, files),
  });
const search = async (question: string) =>
  (await lectern.call("POST", "/v1/search", { key: customer.key, json: { datasetId: "d", question } })).body.data;
const balance = () => lectern.appliance.access.balance(customer.customerId);

test("what is said in a recording is found, with its time", async () => {
  const { status, body } = await upload({ "station.opus": SPEECH });
  expect(status).toBe(200);
  const [file] = body.files;
  expect(file).toMatchObject({ loaderId: "audio", mimeType: "audio/ogg", extension: "opus", language: "en" });
  expect(file.transcriptionText).toContain("bicycles");
  expect(file.transcriptionSrt[0]).toEqual({
    id: 1,
    startTime: expect.any(Number),
    endTime: expect.any(Number),
    text: expect.any(String),
  });
  const [first] = await search("Do bicycles travel without charge?");
  expect(first.metadata).toMatchObject({ originalName: "station.opus", startTime: expect.any(Number) });
  const { text } = await lectern.call("GET", `/v1/files/${file.fileId}/subtitles?format=vtt`, { key: customer.key });
  expect(text).toStartWith("WEBVTT\n\n");
});

test("subtitles of its name that come with a recording are taken as they are", async () => {
  const srt = "1\n00:00:01,000 --> 00:00:03,500\nThe ferry sails at nine.\n";
  const { status, body } = await upload({ "station.opus": SPEECH, "Station.en.srt": srt });
  expect(status).toBe(200);
  const [recording, subtitles] = body.files;
  const entries = [{ id: 1, startTime: 1, endTime: 3.5, text: "The ferry sails at nine." }];
  expect(recording).toMatchObject({ loaderId: "audio", transcriptionSrt: entries });
  expect(subtitles).toMatchObject({ loaderId: "srt", transcriptionSrt: entries });
  const found = await search("When does the ferry sail?");
  expect(found).toHaveLength(1);
  expect(found[0].metadata).toMatchObject({ startTime: 1, endTime: 3.5 });
});

describe("subtitles that come with a recording that is read later", () => {
  const srt = "1\n00:00:01,000 --> 00:00:03,500\nThe ferry sails at nine.\n";
  const entries = [{ id: 1, startTime: 1, endTime: 3.5, text: "The ferry sails at nine." }];
  const ready = async (fileId: string) => {
    const shown = async () => (await lectern.call("GET", `/v1/files/${fileId}`, { key: customer.key })).body.files[0];
    await until(async () => (await shown()).status !== "processing", 100_000);
    return shown();
  };

  const orders: readonly (readonly [order: string, names: readonly string[]])[] = [
    ["behind it", ["station.opus", "station.srt"]],
    ["before it", ["station.srt", "station.opus"]],
  ];
  test.each(orders)("are taken where they stand %s", async (_order, names) => {
    const contents: Record<string, Uint8Array<ArrayBuffer> | string> = { "station.opus": SPEECH, "station.srt": srt };
    const files = Object.fromEntries(names.map((name) => [name, contents[name]!]));
    const { status, body } = await upload(files, { async: "true" });
    expect(status).toBe(202);
    for (const { fileId } of body.files)
      expect(await ready(fileId)).toMatchObject({ status: "ready", transcriptionSrt: entries });
  });

  test("are taken after a restart", async () => {
    const { body } = await upload({ "station.opus": SPEECH, "station.srt": srt }, { async: "true" });
    await lectern.restart();
    expect(await ready(body.files[0].fileId)).toMatchObject({ status: "ready", transcriptionSrt: entries });
  });

  test("are taken where they are stored already", async () => {
    const externalIds = JSON.stringify({ "station.srt": "subtitles" });
    await upload({ "station.srt": srt }, { externalIds });
    const both = { "station.srt": srt, "station.opus": SPEECH };
    const { body } = await upload(both, { async: "true", externalIds });
    expect(body.files[0]).toMatchObject({ unchanged: true });
    expect(await ready(body.files[1].fileId)).toMatchObject({ status: "ready", transcriptionSrt: entries });
  });

  test("that hold none leave the recording to be heard", async () => {
    const { body } = await upload({ "station.opus": SPEECH, "station.srt": "nothing at a time" }, { async: "true" });
    const { status, transcriptionText } = await ready(body.files[0].fileId);
    expect([status, transcriptionText]).toEqual(["ready", expect.stringContaining("bicycles")]);
  });
});

test("what was scanned is found", async () => {
  const { status, body } = await upload({ "page.png": bytesOf("pictures/english.png") });
  expect(status).toBe(200);
  expect(body.files[0]).toMatchObject({ loaderId: "image", mimeType: "image/png", transcriptionText: null });
  expect((await search("Who lit the lamps of the lighthouse?"))[0].pageContent).toContain("lit the lamps");
});

describe("what cannot be recognised says what to add, and costs nothing", () => {
  test.each<
    [
      what: string,
      files: Record<string, Uint8Array<ArrayBuffer>>,
      fields: Record<string, string>,
      code: string,
      said: RegExp,
    ]
  >([
    [
      "speech in another language",
      { "a.opus": bytesOf("audio/samples/spanish.opus") },
      {},
      "NO_SPEECH_MODEL",
      /lectern model add/,
    ],
    ["speech declared in another language", { "a.opus": SPEECH }, { language: "sw" }, "NO_SPEECH_MODEL", /"sw"/],
    [
      "a page in another script",
      { "a.png": bytesOf("pictures/greek-page.png") },
      {},
      "NO_OCR_LANGUAGE",
      /ell\.traineddata/,
    ],
    [
      "a page in a language that is not here",
      { "a.png": bytesOf("pictures/english.png") },
      { ocrLanguages: "jpn" },
      "NO_OCR_LANGUAGE",
      /jpn\.traineddata/,
    ],
    ["a video without sound", { "a.mp4": bytesOf("audio/samples/silent.mp4") }, {}, "UNREADABLE_FILE", /without sound/],
  ])("%s", async (_what, files, fields, code, said) => {
    const { status, body } = await upload(files, fields);
    expect({ status, error: body.error }).toEqual({ status: 400, error: code });
    expect(body.message).toMatch(said);
    expect(balance()).toBe(5000);
  });
});
