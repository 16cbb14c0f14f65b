/** What the clients hold of the OpenAPI document is what the document says. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Lectern } from "lectern-client";
import { version } from "../../package.json";
import { generatedTypes } from "../../scripts/clients.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { loadConfig } from "../../src/options/config.ts";
import { version as clientVersion } from "../../clients/typescript/package.json";

const root = join(import.meta.dir, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const document = openApiDocument(null, loadConfig({ flags: { "openai-api": "off" }, environment: {} }));

test.each(Object.entries(generatedTypes()))("%s is up to date (else: bun scripts/clients.ts)", (path, text) => {
  expect(read(path)).toBe(text);
});

/** The method of both clients, in the words of TypeScript, for each operation of the document. */
const methods: Readonly<Record<string, readonly string[]>> = {
  "post /v1/tokens/create": ["createToken"],
  "post /v1/files/upload": ["upload"],
  "get /v1/files": ["listFiles"],
  "delete /v1/files": ["deleteEverything"],
  "get /v1/files/{fileId}": ["getFile"],
  "delete /v1/files/{fileId}": ["deleteFile"],
  "get /v1/files/{fileId}/content": ["download"],
  "head /v1/files/{fileId}/content": ["headFile"],
  "get /v1/files/{fileId}/subtitles": ["getSubtitles"],
  "get /v1/files/{fileId}/passages": ["getPassages"],
  "get /v1/datasets": ["listDatasets"],
  "delete /v1/datasets/{datasetId}/files": ["deleteDataset", "deleteByExternalId"],
  "post /v1/search": ["search"],
  "post /v1/query": ["query", "queryStream"],
};

describe("every operation", () => {
  test("of the interface has a method", () => {
    const operations = Object.entries(document.paths)
      .filter(([path]) => path.startsWith("/v1/"))
      .flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
    expect(Object.keys(methods).sort()).toEqual(operations.sort());
  });

  test.each(Object.values(methods).flat())("%s is one of both clients'", (name) => {
    expect(Object.getOwnPropertyNames(Lectern.prototype)).toContain(name);
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(read("clients/python/lectern/client.py")).toContain(`    def ${snake}(`);
  });
});

test("every field of an upload and of a question is one that both clients send", () => {
  const { UploadForm, QueryRequest } = document.components.schemas;
  const uploaded = Object.keys(UploadForm!.properties as object).filter((name) => name !== "file" && name !== "async");
  for (const name of uploaded)
    for (const path of ["clients/typescript/src/upload-fields.ts", "clients/python/lectern/"])
      expect(path.endsWith("/") ? read(`${path}client.py`) + read(`${path}form.py`) : read(path)).toContain(name);
  for (const name of Object.keys(QueryRequest!.properties as object))
    expect(read("clients/python/lectern/client.py")).toContain(`"${name}"`);
});

test("the clients bear the program's version", () => {
  expect(clientVersion).toBe(version);
  expect(read("clients/python/pyproject.toml")).toContain(`version = "${version}"`);
});
