/** Models in the console: listed, added by upload, chosen and removed, as the command line does. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../../src/native/index.ts";
import { startLectern, type TestServer } from "../../harness.ts";
import { signInOperator, type SignedIn } from "./console.ts";

const MOST_BYTES = 20_000_000;
const greek = readFileSync(join(projectRoot, "node_modules/@tesseract.js-data/ell/4.0.0_best_int/ell.traineddata.gz"));
let lectern: TestServer;
let operator: SignedIn;

beforeAll(async () => {
  lectern = await startLectern({ "max-model-bytes": String(MOST_BYTES) });
  operator = await signInOperator(lectern);
});
afterAll(() => lectern.stop());

const list = async () => (await operator.call("GET", "/console/models")).body.models as { name: string }[];
const named = async (name: string) => (await list()).find((model) => model.name === name);
const add = (name: string, body: Uint8Array<ArrayBuffer>) =>
  operator.call("POST", `/console/models?kind=&name=${encodeURIComponent(name)}`, { body });

test("those inside the executable are there, and what is in use is told", async () => {
  expect(await named("default")).toEqual({
    name: "default",
    kind: "embedding",
    chosen: true,
    builtIn: true,
    bytes: expect.any(Number),
    describe: expect.stringContaining("1536 dimensions"),
  } as never);
  expect(await named("eng")).toMatchObject({ kind: "ocr", builtIn: true, describe: "English (eng)" });
});

test("one is added by upload, is listed and noted, and is removed", async () => {
  expect(await add("ell.traineddata.gz", new Uint8Array(greek))).toMatchObject({
    status: 201,
    body: { name: "ell", kind: "ocr" },
  });
  expect(await named("ell")).toMatchObject({ builtIn: false, chosen: true, describe: "Greek (ell)" });
  expect((await operator.call("DELETE", "/console/models/ell?kind=ocr")).status).toBe(200);
  expect(await named("ell")).toBeUndefined();
  expect(readFileSync(join(lectern.directory, "audit.log"), "utf8")).toContain('"change":"remove","model":"ell"');
});

const refused: readonly [string, string, Uint8Array<ArrayBuffer>, number, string][] = [
  ["without a name", "", new Uint8Array(10), 400, "lectern model add FOLDER"],
  ["of another kind of file", "model.onnx", new Uint8Array(10), 400, "lectern model add FOLDER"],
  ["whose name leads elsewhere", "../../ell.traineddata", new Uint8Array(10), 400, "lectern model add FOLDER"],
  ["whose name is hidden", ".gguf", new Uint8Array(10), 400, "lectern model add FOLDER"],
  ["that is empty", "small.gguf", new Uint8Array(), 400, "the model's file"],
  ["that is none", "small.gguf", new TextEncoder().encode("no model at all"), 409, "small.gguf"],
  ["that is too large", "large.gguf", new Uint8Array(MOST_BYTES + 1), 413, String(MOST_BYTES)],
];
test.each(refused)("one %s is refused, and nothing of it stays", async (_what, name, body, status, sentence) => {
  const reply = await add(name, body);
  expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(sentence)] as never);
  expect(reply.text).not.toContain(lectern.directory);
  expect(readdirSync(join(lectern.directory, "staging"))).toEqual([]);
  expect((await list()).every(({ name: listed }) => !listed.includes("small"))).toBe(true);
});

test.each([
  ["PATCH", "/console/models/nothing", { use: true }, 404],
  ["PATCH", "/console/models/default", { use: false }, 400],
  ["PATCH", "/console/models/default", { user: true }, 400],
  ["PATCH", "/console/models/eng", { use: true }, 409],
  ["PATCH", "/console/models/default", { use: true, kind: "embedding" }, 200],
  ["DELETE", "/console/models/nothing", undefined, 404],
  ["DELETE", "/console/models/default", undefined, 409],
  ["DELETE", "/console/models/--help", undefined, 404],
])("%s %s %p", async (method, path, json, status) => {
  const reply = await operator.call(method, path, json === undefined ? {} : { json });
  expect([reply.status, reply.text]).toEqual([status, expect.any(String)] as never);
});

test("customers see none of it", async () => {
  const { key } = lectern.customer();
  for (const [method, path] of [
    ["GET", "/console/models"],
    ["POST", "/console/models?name=small.gguf"],
    ["PATCH", "/console/models/default"],
    ["DELETE", "/console/models/default"],
  ] as const)
    expect((await lectern.call(method, path, { key })).status).toBe(401);
});
