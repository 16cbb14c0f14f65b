/** Every limit of a request's fields: what lies at it is accepted, what lies just beyond is refused, and the OpenAPI document says the same. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fieldDefaults, fieldLimits } from "../../src/foundation/field-limits.ts";
import { startLectern, type TestServer, uploadForm } from "../harness.ts";

const MOST_FILES = 3;
const LONGEST_QUESTION = 400;
let lectern: TestServer;
let key: string;
let document: any;
beforeAll(async () => {
  lectern = await startLectern({
    "max-files-per-upload": String(MOST_FILES),
    "max-question-characters": String(LONGEST_QUESTION),
  });
  ({ key } = lectern.customer());
  document = (await lectern.call("GET", "/openapi/json")).body;
});
afterAll(() => lectern.stop());

type Send = (value: any) => Promise<number>;
const post = async (path: string, json: unknown): Promise<number> =>
  (await lectern.call("POST", path, { key, json })).status;
const token: Send = (fields) => post("/v1/tokens/create", { datasetId: "d", ...fields });
const ask =
  (path: string): Send =>
  async (fields) =>
    post(path, { datasetId: "d", question: "?", ...fields });
const upload = async (fields: Record<string, string>, names: readonly string[] = ["a.txt"]): Promise<number> => {
  const body = uploadForm({ datasetId: "d", ...fields }, Object.fromEntries(names.map((name) => [name, "A text."])));
  return (await lectern.call("POST", "/v1/files/upload", { key, body })).status;
};
const uploadRepeating = async (field: string, values: readonly string[]): Promise<number> => {
  const body = uploadForm({ datasetId: "d" }, { "a.txt": "A text." });
  for (const value of values) body.append(field, value);
  return (await lectern.call("POST", "/v1/files/upload", { key, body })).status;
};
const passages =
  (name: string): Send =>
  async (value) => {
    const [fileId] = await lectern.upload(key, "passages", { "a.txt": "A text." });
    return (await lectern.call("GET", `/v1/files/${fileId}/passages?${name}=${value}`, { key })).status;
  };
const languages = (count: number): string[] => Array.from({ length: count }, (_, at) => `aa-x${at}`);
const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const filter = (filterKey: string) => ({ key: filterKey, match: { value: 1 } });

interface Row {
  /** As the table calls it: a field, and one of its limits. */
  readonly limit: string;
  /** Every way in which such a field can be sent; each resolves to the status. */
  readonly send: readonly Send[];
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
  /** The schemas that say it by the limit's own word, as `Schema.field`; or the texts that name it, as a path into the document. */
  readonly said: readonly string[];
}

const newDataset: Send[] = [(datasetId) => token({ datasetId }), (datasetId) => upload({ datasetId })];
const datasetSchemas = ["TokenRequest.datasetId", "UploadForm.datasetId"];
const asking = [ask("/v1/search"), ask("/v1/query")];
const question: Send[] = asking.map((send) => (value) => send({ question: value }));
const questionSchemas = ["RetrievalRequest.question", "QueryRequest.question"];
const filters: Send[] = asking.map((send) => (value) => send({ filters: value }));
const aboutUploads = "paths./v1/files/upload.post.description";
const aboutOcrLanguages = "components.schemas.UploadForm.properties.ocrLanguages.description";
const aboutExtraMeta = "components.schemas.UploadForm.properties.extraMeta.description";

const rows: Row[] = [
  {
    limit: "datasetId.minLength",
    send: newDataset,
    accepted: ["x"],
    refused: [""],
    said: datasetSchemas,
  },
  {
    limit: "datasetId.maxLength",
    send: newDataset,
    accepted: ["x".repeat(100)],
    refused: ["x".repeat(101)],
    said: datasetSchemas,
  },
  {
    limit: "datasetId.pattern",
    send: newDataset,
    accepted: ["...", "../..", "日本 %", " "],
    refused: [".", "..", "a\0b", "a\u0085"],
    said: datasetSchemas,
  },
  {
    limit: "ttlSeconds.minimum",
    send: [(ttlSeconds) => token({ ttlSeconds })],
    accepted: [1],
    refused: [0.999, 0],
    said: ["TokenRequest.ttlSeconds"],
  },
  {
    limit: "ttlSeconds.maximum",
    send: [(ttlSeconds) => token({ ttlSeconds })],
    accepted: [86_400],
    refused: [86_400.001],
    said: ["TokenRequest.ttlSeconds"],
  },
  { limit: "question.minLength", send: question, accepted: ["?"], refused: [""], said: questionSchemas },
  {
    limit: "question.pattern",
    send: question,
    accepted: [" ?\n"],
    refused: [" ", "\u3000\n\ufeff"],
    said: questionSchemas,
  },
  {
    limit: "filters.maxItems",
    send: filters,
    accepted: [Array(32).fill(filter("a"))],
    refused: [Array(33).fill(filter("a"))],
    said: ["RetrievalRequest.filters", "QueryRequest.filters"],
  },
  {
    limit: "filterKey.minLength",
    send: asking.map((send) => (value) => send({ filters: [filter(value)] })),
    accepted: ["a"],
    refused: [""],
    said: ["Filter.key"],
  },
  {
    limit: "filterValues.maxItems",
    send: asking.flatMap((send) =>
      ["any", "not"].map(
        (form): Send =>
          (length) => {
            const values = Array.from({ length }, (_, at) => at);
            return send({ filters: [{ key: "a", match: { [form]: values } }] });
          },
      ),
    ),
    accepted: [10_000],
    refused: [10_001],
    said: [],
  },
  {
    limit: "limit.minimum",
    send: asking.map((send) => (limit) => send({ limit })),
    accepted: [1],
    refused: [0, -1, 1.5, "1", true],
    said: ["RetrievalRequest.limit", "QueryRequest.limit"],
  },
  ...(["minimum", "maximum"] as const).map((word) => ({
    limit: `minScore.${word}`,
    send: asking.map(
      (send): Send =>
        (minScore) =>
          send({ minScore }),
    ),
    accepted: [fieldLimits.minScore[word]],
    refused: word === "minimum" ? [-0.001, "0", false] : [1.001, "1", [1]],
    said: ["RetrievalRequest.minScore", "QueryRequest.minScore"],
  })),
  {
    limit: "chunkSize.minimum",
    send: [(chunkSize) => upload({ chunkSize })],
    accepted: [10],
    refused: [9],
    said: ["UploadForm.chunkSize"],
  },
  {
    limit: "chunkSize.maximum",
    send: [(chunkSize) => upload({ chunkSize })],
    accepted: [4000],
    refused: [4001],
    said: ["UploadForm.chunkSize"],
  },
  {
    limit: "chunkOverlap.minimum",
    send: [(chunkOverlap) => upload({ chunkOverlap })],
    accepted: [0],
    refused: [-1],
    said: ["UploadForm.chunkOverlap"],
  },
  {
    limit: "extraMeta.maxBytes",
    send: [(length) => upload({ extraMeta: `{"a":"${"ä".repeat((length - 8) / 2)}"}` })],
    accepted: [16_384],
    refused: [16_386],
    said: [aboutExtraMeta],
  },
  {
    limit: "extraMeta.reservedKeys",
    send: [(name) => upload({ extraMeta: JSON.stringify({ [name]: 1 }) })],
    accepted: ["chunkIndex", "fileid"],
    refused: ["fileId", "originalName", "customerId", "datasetId"],
    said: [aboutExtraMeta],
  },
  {
    limit: "json.maxDepth",
    send: [
      // What holds the nested arrays is a level, too.
      (levels) => token({ more: JSON.parse(nested(levels - 1)) }),
      (levels) => upload({ extraMeta: `{"a":${nested(levels - 1)}}` }),
    ],
    accepted: [64],
    refused: [65],
    said: ["info.description", aboutExtraMeta],
  },
  {
    limit: "body.maxParts",
    // The body, the comma before the list, the list; and a comma between every two of its items.
    send: [(parts) => token({ more: Array(parts - 2).fill(0) })],
    accepted: [20_000],
    refused: [20_001],
    said: ["info.description"],
  },
  {
    limit: "form.maxFields",
    // The dataset is one.
    send: [(fields) => upload(Object.fromEntries(Array.from({ length: fields - 1 }, (_, at) => [`f${at}`, "x"])))],
    accepted: [100],
    refused: [101],
    said: [aboutUploads],
  },
  {
    limit: "form.maxFieldBytes",
    send: [(bytes) => upload({ more: "x".repeat(bytes) })],
    accepted: [65_536],
    refused: [65_537],
    said: [aboutUploads],
  },
  {
    limit: "fileName.maxLength",
    send: [(length) => upload({}, [`${"x".repeat(length - 4)}.txt`])],
    accepted: [1024],
    refused: [1025],
    said: ["components.schemas.UploadForm.properties.file.description"],
  },
  {
    limit: "externalId.minLength",
    send: [(externalId) => upload({ externalIds: JSON.stringify({ "a.txt": externalId }) })],
    accepted: ["x"],
    refused: [""],
    said: ["UploadForm.externalId"],
  },
  {
    limit: "externalId.maxLength",
    send: [(externalId) => upload({ externalId })],
    accepted: ["x".repeat(512)],
    refused: ["x".repeat(513)],
    said: ["UploadForm.externalId"],
  },
  {
    limit: "relativePath.maxLength",
    send: [(path) => upload({ path })],
    accepted: ["x".repeat(1024)],
    refused: ["x".repeat(1025)],
    said: ["UploadForm.path"],
  },
  {
    limit: "language.maxLength",
    send: [(language) => upload({ language })],
    accepted: ["de-x-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaa"],
    refused: ["de-x-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaa"],
    said: ["UploadForm.language"],
  },
  {
    limit: "language.pattern",
    send: [(language) => upload({ language })],
    accepted: ["en", "pt-BR", "yue", "zh-Hant-TW"],
    refused: ["e", "english", "en_US", "en-", "../en", "e n", "12"],
    said: ["UploadForm.language"],
  },
  {
    limit: "ocrLanguages.maxItems",
    send: [
      (names) => upload({ ocrLanguages: names.join() }),
      (names) => upload({ ocrLanguages: JSON.stringify(names) }),
      (names) => uploadRepeating("ocrLanguages", names),
    ],
    accepted: [languages(16)],
    refused: [languages(17)],
    said: [aboutOcrLanguages],
  },
  {
    limit: "ocrLanguages.maxLength",
    send: [(name) => upload({ ocrLanguages: name })],
    accepted: ["chi_aaaaaaaa_aaaaaaaa_aaaaaaaa_aaaa"],
    refused: ["chi_aaaaaaaa_aaaaaaaa_aaaaaaaa_aaaaa"],
    said: [aboutOcrLanguages],
  },
  {
    limit: "ocrLanguages.pattern",
    send: [(name) => upload({ ocrLanguages: name }), (name) => upload({ ocrLanguages: JSON.stringify(["eng", name]) })],
    accepted: ["de", "deu", "chi_sim", "chi_tra_vert", "zh-Hant", "Japanese"],
    refused: ["../eng", "a/b", "e", "eng.traineddata", "e n", "-"],
    said: [],
  },
  ...[
    { limit: "embeddingInputs.minItems", accepted: [["a"]], refused: [[]] },
    { limit: "embeddingInputs.maxItems", accepted: [Array(256).fill("a")], refused: [Array(257).fill("a")] },
    { limit: "embeddingInput.minLength", accepted: ["a", ["a"]], refused: ["", ["a", ""]] },
    {
      limit: "embeddingInput.maxLength",
      accepted: ["a".repeat(32_768)],
      refused: ["a".repeat(32_769), ["a".repeat(32_769)]],
    },
  ].map((row) => ({
    ...row,
    send: [
      (input: unknown) => post("/v1/embeddings", { model: lectern.appliance.models.chosen.embedder.modelId, input }),
    ],
    said: [],
  })),
  ...(["minimum", "maximum"] as const).map((word) => ({
    limit: `pageLimit.${word}`,
    send: ["/v1/files?datasetId=d", "/v1/datasets?"].map(
      (path): Send =>
        async (limit) =>
          (await lectern.call("GET", `${path}&limit=${limit}`, { key })).status,
    ),
    accepted: [{ minimum: 1, maximum: 1000 }[word]],
    refused: [{ minimum: 0, maximum: 1001 }[word]],
    said: [],
  })),
  ...[
    { limit: "passageFrom.minimum", name: "from", accepted: [0], refused: [-1] },
    { limit: "passageFrom.maximum", name: "from", accepted: [999_999_999], refused: [1_000_000_000] },
    { limit: "passageLimit.minimum", name: "limit", accepted: [1], refused: [0] },
    { limit: "passageLimit.maximum", name: "limit", accepted: [100], refused: [101] },
  ].map(({ limit, name, accepted, refused }) => ({
    limit,
    send: [passages(name)],
    accepted,
    refused,
    said: [],
  })),
];

/** What the operator chose. */
const chosen: Row[] = [
  {
    limit: "question.maxLength",
    send: question,
    accepted: ["x".repeat(LONGEST_QUESTION)],
    refused: ["x".repeat(LONGEST_QUESTION + 1)],
    said: questionSchemas,
  },
  {
    limit: "limit.maximum",
    send: asking.map((send) => (limit) => send({ limit })),
    accepted: [8],
    refused: [9],
    said: ["RetrievalRequest.limit", "QueryRequest.limit"],
  },
  {
    limit: "file.maxItems",
    send: [
      (count) =>
        upload(
          {},
          Array.from({ length: count }, (_, at) => `${at}.txt`),
        ),
    ],
    accepted: [MOST_FILES],
    refused: [MOST_FILES + 1],
    said: ["UploadForm.file"],
  },
];
const limits = {
  ...fieldLimits,
  question: { ...fieldLimits.question, maxLength: LONGEST_QUESTION },
  file: { maxItems: MOST_FILES },
  limit: { ...fieldLimits.limit, maximum: 8 },
};

test("every limit of the table is looked at here", () => {
  const table = Object.entries(fieldLimits).flatMap(([field, words]) =>
    Object.keys(words).map((word) => `${field}.${word}`),
  );
  expect(rows.map(({ limit }) => limit).sort()).toEqual(table.sort());
});

describe.each([...rows, ...chosen])("$limit", ({ limit, send, accepted, refused, said }) => {
  const [field, word] = limit.split(".") as [string, string];
  const value = (limits as any)[field][word];

  test("is kept to", async () => {
    for (const one of send) {
      for (const sent of accepted) expect([sent, await one(sent)]).toEqual([sent, 200]);
      for (const sent of refused) expect([sent, await one(sent)]).toEqual([sent, 400]);
    }
  });

  test.each(said)("is said by %s", (place) => {
    const [name, property] = place.split(".") as [string, string];
    const schema = document.components.schemas[name]?.properties[property];
    if (schema === undefined) return expect(textAt(place)).toMatch(new RegExp(`\\b${[value].flat().join(", ")}\\b`));
    expect(schema[word]).toBe(value);
    // The pattern is one that clients understand as we do.
    if (word === "pattern")
      expect([...accepted, ...refused].filter((sent) => new RegExp(schema.pattern, "u").test(String(sent)))).toEqual([
        ...accepted,
      ]);
  });
});

/** A text of the document, by the names on the way to it; an address has slashes, and no dots. */
function textAt(place: string): string {
  return place.split(".").reduce((inside, name) => inside[name], document);
}

test.each([
  ["TokenRequest.ttlSeconds", fieldDefaults.ttlSeconds],
  ["UploadForm.chunkSize", fieldDefaults.chunkSize],
  ["UploadForm.chunkOverlap", fieldDefaults.chunkOverlap],
])("the default of %s is said", (place, value) => {
  const [name, property] = place.split(".") as [string, string];
  expect(document.components.schemas[name].properties[property].default).toBe(value);
});

test("a filter reaches every field that the document names, and no other of a result's own", async () => {
  const fields: string[] = document.components.schemas.PassageMetadata.required;
  expect(fields.toSorted()).toEqual([...fieldLimits.extraMeta.reservedKeys, "chunkIndex"].toSorted());
  const [fileId] = await lectern.upload(key, "own", { "a.txt": "A text." });
  const { metadata } = (await lectern.search(key, "own", "text")).body.data[0];
  expect(metadata.fileId).toBe(fileId);
  for (const field of fields) {
    expect(document.components.schemas.Filter.properties.key.description).toMatch(new RegExp(`\\b${field}\\b`));
    const matching = [{ key: field, match: { value: metadata[field] } }];
    expect((await lectern.search(key, "own", "text", { filters: matching })).body.data).toHaveLength(1);
  }
});

test("texts to embed are said to be as many and as long as they may be", () => {
  const [text, texts] = document.components.schemas.OpenAiEmbeddingsRequest.properties.input.oneOf;
  for (const one of [text, texts.items]) expect(one).toMatchObject(fieldLimits.embeddingInput);
  expect(texts).toMatchObject(fieldLimits.embeddingInputs);
});

test("lists in a filter are said to be as long as they may be", () => {
  const [, any, not] = document.components.schemas.Filter.properties.match.oneOf;
  expect(any.properties.any.maxItems).toBe(fieldLimits.filterValues.maxItems);
  expect(not.properties.not.oneOf[1].maxItems).toBe(fieldLimits.filterValues.maxItems);
});

test.each(["datasetId", "filters", "limit", "minScore", "highlights", "stream"])(
  "%s may be null where the document says so",
  async (field) => {
    expect(document.components.schemas.QueryRequest.properties[field].type).toContain("null");
    const { token: frontend } = (await lectern.call("POST", "/v1/tokens/create", { key, json: { datasetId: "own" } }))
      .body;
    const json = { question: "text", [field]: null };
    expect((await lectern.call("POST", "/v1/query", { key: frontend, json })).status).toBe(200);
  },
);
