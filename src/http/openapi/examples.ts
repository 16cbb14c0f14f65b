/**
 * What the document shows: one small handbook, uploaded, looked at, searched and asked. A test sends the requests to a server and holds
 * what it answers against these answers.
 */

const file = {
  fileId: "01981c5e-7d0a-7c3e-9f53-2f6d1a6f0c11",
  originalName: "bicycle.md",
  datasetId: "handbook",
  customerId: "acme",
  filePath: "files/01/01981c5e-7d0a-7c3e-9f53-2f6d1a6f0c11",
  mimeType: "text/markdown",
  size: 81,
  sha256: "8cb851d8886d3fa1df7612b4a06f66e7fdd8f1ddd8e4e0c92fda8731678b434d",
  loaderId: "markdown",
  created: "2026-03-02T09:30:00.000Z",
  extension: "md",
  status: "ready",
  transcriptionText: null,
  transcriptionSrt: null,
  extraMeta: { year: 2026 },
};

const result = {
  score: 0.48,
  pageContent: "Chain\n\nWipe the chain with a dry rag, then put one drop of oil on each roller.",
  metadata: {
    year: 2026,
    heading: "Chain",
    line: 1,
    lastLine: 3,
    fileId: file.fileId,
    originalName: file.originalName,
    customerId: file.customerId,
    datasetId: file.datasetId,
    chunkIndex: 0,
  },
};

const question = { datasetId: "handbook", question: "How is the chain oiled?" };
const filters = [{ key: "year", match: { value: 2026 } }];
const token = {
  token:
    "eyJhbGciOiJIUzI1NiJ9.eyJjdXN0b21lcklkIjoiYWNtZSIsImRhdGFzZXRJZCI6ImhhbmRib29rIiwiaWF0IjoxNzcyNDQzODAwLCJleHAiOjE3NzI0NDc0MDB9.q0m5yV3E0m8x1uXf0d2m1b3M3wqkz4J1o6f3bq2m8cE",
  expiresIn: 3600,
};
const usage = { promptTokens: 0, completionTokens: 0 };
const answered = "Wipe the chain with a dry rag, then put one drop of oil on each roller. [1]";

const embeddingModel = "lectern-multilingual-static";
const ofChat = { id: "chatcmpl-6f1f7f5e-2c53-4c8b-8f0c-3b3f5a0b7a55", created: 1_772_443_800, model: "handbook" };
const annotations = [
  {
    type: "url_citation",
    url_citation: {
      start_index: 72,
      end_index: 75,
      title: 'bicycle.md, "Chain", lines 1–3',
      url: `http://127.0.0.1:8080/v1/files/${file.fileId}/content?expires=1773048600&signature=Zk1Qb0t5c2lnbmF0dXJlLW9mLWEtbGluay1pcy1sb25n`,
    },
  },
];

export const examples = {
  fileId: file.fileId,
  subtitledFileId: "01981c5e-8a11-7f2b-b3a7-0d9a5c8e4b21",
  datasetId: "handbook",
  externalId: "bicycle",
  link: {
    expires: 1_773_048_600,
    signature: "Zk1Qb0t5c2lnbmF0dXJlLW9mLWEtbGluay1pcy1sb25n",
  },
  upload: {
    request: { file: ["(bytes of bicycle.md)"], datasetId: "handbook", extraMeta: '{"year": 2026}' },
    answer: { success: true, message: "Uploaded and indexed 1 file.", files: [file] },
    accepted: {
      success: true,
      message: "Accepted 1 file, to be read in the background.",
      files: [{ ...file, loaderId: "", status: "processing", progress: 0 }],
    },
  },
  list: { success: true, message: "Found 1 file.", files: [file] },
  details: {
    success: true,
    message: "Found 1 file.",
    files: [
      {
        ...file,
        permanentUrl: `http://127.0.0.1:8080/v1/files/${file.fileId}/content?expires=1773048600&signature=Zk1Qb0t5c2lnbmF0dXJlLW9mLWEtbGluay1pcy1sb25n`,
      },
    ],
  },
  deleted: { success: true, message: "Deleted 1 file.", files: [file] },
  subtitles: {
    srt: "1\n00:00:01,000 --> 00:00:04,500\nThe chain is oiled once a month.\n\n",
    vtt: "WEBVTT\n\n00:00:01.000 --> 00:00:04.500\nThe chain is oiled once a month.\n\n",
  },
  passages: {
    success: true,
    data: [{ pageContent: result.pageContent, metadata: result.metadata }],
    total: 1,
  },
  datasets: {
    success: true,
    data: [
      {
        datasetId: "handbook",
        files: 1,
        chunks: 1,
        bytes: 81,
        created: "2026-03-02T09:30:00.000Z",
        updated: "2026-03-02T09:30:00.000Z",
      },
    ],
    nextCursor: null,
  },
  search: { request: { ...question, filters }, answer: { success: true, data: [result] } },
  query: {
    request: question,
    answer: { success: true, data: { answer: answered, sources: [result], model: "extractive", usage } },
    events: {
      sources: { event: "sources", data: [result] },
      token: { event: "token", data: { text: answered } },
      done: { event: "done", data: { model: "extractive", usage } },
    },
  },
  token: {
    request: { datasetId: "handbook", ttlSeconds: 3600 },
    answer: { success: true, ...token, data: token },
  },
  assistant: {
    request: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search", arguments: { dataset: "handbook", question: question.question } },
    },
    answer: {
      jsonrpc: "2.0",
      id: 1,
      result: {
        content: [
          {
            type: "text",
            text: `[1] bicycle.md, "Chain", lines 1–3 (file ${file.fileId}, passage 0, score 0.48)\n${result.pageContent}`,
          },
        ],
        structuredContent: { results: [result] },
      },
    },
    failure: { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error: Invalid JSON-RPC message" } },
    unacceptable: {
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32000,
        message: "Not Acceptable: Client must accept both application/json and text/event-stream",
      },
    },
  },
  openai: {
    models: {
      object: "list",
      data: [
        { id: "handbook", object: "model", created: 1_772_443_800, owned_by: "acme" },
        { id: embeddingModel, object: "model", created: 0, owned_by: "lectern" },
      ],
    },
    embeddings: {
      request: { model: embeddingModel, input: ["How is the chain oiled?"], encoding_format: "base64" },
      answer: {
        object: "list",
        data: [{ object: "embedding", index: 0, embedding: "AACAPwAAAAA=" }],
        model: embeddingModel,
        usage: { prompt_tokens: 9, total_tokens: 9 },
      },
    },
    chat: {
      request: { model: "handbook", messages: [{ role: "user", content: question.question }] },
      answer: {
        ...ofChat,
        object: "chat.completion",
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: answered, refusal: null, annotations },
            logprobs: null,
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      },
      chunk: {
        ...ofChat,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: { content: answered }, logprobs: null, finish_reason: null }],
      },
    },
  },
  alive: { status: "alive" },
  ready: { status: "ready", model: "lectern-multilingual-static@0.4.0#6842d3ad37d6", chunks: 1 },
  metrics: "# HELP lectern_chunks Stored chunks.\n# TYPE lectern_chunks gauge\nlectern_chunks 1\n",
} as const;
