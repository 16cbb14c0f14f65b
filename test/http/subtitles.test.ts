/** GET /v1/files/:fileId/subtitles: the entries of a subtitle file as SubRip or WebVTT, to whom the file is for. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { check, startLectern, type Call, type Rule, type TestServer } from "../harness.ts";

const SRT = `7
00:00:01,500 --> 00:00:03,000
The ship left <the> harbour & never
came back.

8
01:02:03,004 --> 01:02:05,999
Nobody knows why.
`;
let lectern: TestServer;
let key: string;
let talk: string;
let note: string;
beforeAll(async () => {
  lectern = await startLectern();
  ({ key } = lectern.customer());
  [talk, note] = (await lectern.upload(key, "d", { "talk.srt": SRT, "note.txt": "A note." })) as [string, string];
});
afterAll(() => lectern.stop());

const ask = (fileId: string, query = "", call: Call = { key }) =>
  lectern.call("GET", `/v1/files/${fileId}/subtitles${query}`, call);

test.each([
  ["", "application/x-subrip; charset=utf-8", "talk.srt"],
  ["?format=srt", "application/x-subrip; charset=utf-8", "talk.srt"],
  ["?format=vtt", "text/vtt; charset=utf-8", "talk.vtt"],
])("%p answers %s", async (query, type, name) => {
  const { status, headers, text } = await ask(talk, query);
  expect([status, headers.get("content-type")]).toEqual([200, type]);
  expect(headers.get("content-disposition")).toContain(`attachment; filename="${name}"`);
  const isVtt = name.endsWith("vtt");
  expect(text).toStartWith(isVtt ? "WEBVTT\n\n00:00:01.500 --> 00:00:03.000\n" : "1\n00:00:01,500 --> 00:00:03,000\n");
  expect(text).toContain(isVtt ? "01:02:03.004 --> 01:02:05.999" : "2\n01:02:03,004 --> 01:02:05,999");
  expect(text).toContain(isVtt ? "harbour &amp; never" : "harbour & never");
  expect(text).toEndWith("Nobody knows why.\n\n");
});

test("what is answered is read again as the same entries", async () => {
  const entriesOf = async (fileId: string) =>
    (await lectern.call("GET", `/v1/files/${fileId}`, { key })).body.files[0].transcriptionSrt;
  const entries = (await entriesOf(talk)) as object[];
  for (const format of ["srt", "vtt"]) {
    const { text } = await ask(talk, `?format=${format}`);
    const [again] = await lectern.upload(key, "again", { [`again.${format}`]: text });
    expect(await entriesOf(again!)).toEqual(entries.map((entry, at) => ({ ...entry, id: at + 1 })));
  }
});

test("a long one comes whole", async () => {
  const cues = Array.from({ length: 2500 }, (_, at) => {
    const clock = new Date(at * 1000).toISOString().slice(11, 19);
    return `${at + 1}\n${clock},000 --> ${clock},900\nSentence ${at}.\n`;
  });
  const [long] = await lectern.upload(key, "long", { "long.srt": cues.join("\n") });
  const { text } = await ask(long!);
  expect(text.match(/^Sentence \d+\.$/gm)).toHaveLength(2500);
  expect(text).toContain("2500\n00:41:39,000");
});

describe("refused", () => {
  const rules: (Rule & { readonly fileId?: () => string; readonly query?: string; readonly dataset?: string })[] = [
    { rule: "a file without", fileId: () => note, call: {}, status: 404, holds: ["NO_SUBTITLES", "note.txt"] },
    { rule: "another format", query: "?format=ass", call: {}, status: 400, holds: ["format must be srt or vtt"] },
    { rule: "no such file", fileId: () => "nothing", call: {}, status: 404, holds: ["FILE_NOT_FOUND"] },
    { rule: "a token of another dataset", dataset: "e", call: {}, status: 403, holds: ["DATASET_MISMATCH"] },
  ];
  test.each(rules)("$rule", async ({ fileId = () => talk, query, dataset, ...rule }) => {
    const token = async (): Promise<string> =>
      (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: dataset } })).body.token;
    check(await ask(fileId(), query, { key: dataset === undefined ? key : await token() }), rule);
  });

  test("nobody, and another customer", async () => {
    const anonymous = await ask(talk, "", {});
    expect([anonymous.status, anonymous.body]).toEqual([401, { error: "Missing API key or token" }]);
    const stranger = await ask(talk, "", { key: lectern.customer().key });
    expect([stranger.status, stranger.body.error]).toEqual([404, "FILE_NOT_FOUND"]);
  });
});
