/** What requests leave in audit.log: one line for each change, and nothing that is secret or was deleted. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAuditLog } from "../../src/data-directory/audit-log.ts";
import { temporaryFolder } from "../cli/lectern.ts";
import { startLectern, type TestCustomer, type TestServer } from "../harness.ts";

describe("requests", () => {
  let lectern: TestServer;
  let customer: TestCustomer;
  let keyId: string;
  beforeAll(async () => {
    lectern = await startLectern();
    customer = lectern.customer();
    keyId = lectern.appliance.access.listApiKeys(customer.customerId)[0]!.keyId;
  });
  afterAll(() => lectern.stop());

  const path = (): string => join(lectern.directory, "audit.log");
  const readLines = (): Record<string, unknown>[] =>
    existsSync(path())
      ? readFileSync(path(), "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
  const store = (externalId = ""): Promise<string[]> =>
    lectern.upload(customer.key, "birds", { "private-name.txt": "A heron stands." }, externalId ? { externalId } : {});
  const call = (method: string, address: string, json?: unknown, key = customer.key) =>
    lectern.call(method, address, { key, json, headers: { "x-request-id": "asked-1" } });

  const cases: [what: string, act: () => Promise<unknown>, lines: Record<string, unknown>[]][] = [
    [
      "a token that is made",
      () => call("POST", "/v1/tokens/create", { datasetId: "birds", ttlSeconds: 60, scope: "read" }),
      [{ action: "token.create", dataset: "birds", scope: "read", expiresIn: 60 }],
    ],
    [
      "a file that is deleted",
      async () => call("DELETE", `/v1/files/${(await store())[0]}`),
      [{ action: "file.delete", dataset: "birds", file: expect.any(String) }],
    ],
    [
      "one that is deleted by its owner's name for it",
      async () => {
        await store("heron");
        return call("DELETE", "/v1/datasets/birds/files?externalId=heron");
      },
      [{ action: "file.delete", dataset: "birds", file: expect.any(String) }],
    ],
    [
      "a dataset",
      async () => {
        await store();
        await store();
        return call("DELETE", "/v1/datasets/birds/files");
      },
      [{ action: "dataset.delete", dataset: "birds", files: 2 }],
    ],
    [
      "everything",
      async () => {
        await store();
        return call("DELETE", "/v1/files");
      },
      [{ action: "files.delete", files: 1 }],
    ],
    ["what is refused", () => call("DELETE", "/v1/files/none"), []],
    ["searches and uploads", async () => [await store(), await call("POST", "/v1/search", { question: "heron" })], []],
  ];
  test.each(cases)("%s", async (_what, act, lines) => {
    const before = readLines().length;
    await act();
    const noted = readLines().slice(before);
    const who = {
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      customer: customer.customerId,
      by: keyId,
      req: "asked-1",
    };
    expect(noted).toEqual(lines.map((line) => ({ ...who, ...line })) as never);
  });

  test("tokens and the operator are told from keys, and nothing secret or deleted is in any line", async () => {
    const { token } = (await call("POST", "/v1/tokens/create", { datasetId: "birds" })).body;
    const operator = await lectern.appliance.access.createOperatorToken(customer.customerId);
    await store();
    await call("DELETE", "/v1/files", undefined, token);
    await store();
    await call("DELETE", "/v1/datasets/birds/files", undefined, operator);
    expect(readLines().slice(-2)).toMatchObject([
      { action: "dataset.delete", by: "token" },
      { action: "dataset.delete", by: "operator" },
    ]);
    const text = readFileSync(path(), "utf8");
    for (const secret of [customer.key, token, operator, "heron", "private-name"]) expect(text).not.toContain(secret);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  test("a request's id that is a credential is not written", async () => {
    const headers = { "x-request-id": customer.key };
    await lectern.call("POST", "/v1/tokens/create", { key: customer.key, json: { datasetId: "d" }, headers });
    expect(readLines().at(-1)).toMatchObject({ action: "token.create", req: "[hidden]" });
  });
});

describe("the file", () => {
  let folder = temporaryFolder();
  afterEach(() => {
    folder.remove();
    folder = temporaryFolder();
  });
  const entry = { action: "credits.add", by: "operator", credits: 1 } as const;
  const open = (auditLogBytes: number, rotates = true) => {
    const troubles: string[] = [];
    const onTrouble = (reason: string): void => void troubles.push(reason);
    const audit = openAuditLog({ dataDirectory: folder.path, auditLogBytes, rotates, onTrouble });
    return { audit, troubles, read: (name = "audit.log") => readFileSync(join(folder.path, name), "utf8") };
  };

  test("is put aside when it is large, by the process that owns the data directory", () => {
    const { audit, read } = open(100);
    for (let count = 0; count < 3; count++) audit.note({ ...entry, count });
    expect([read("audit.log.1"), read()].map((text) => text.match(/"count":\d/g))).toEqual([
      ['"count":0', '"count":1'],
      ['"count":2'],
    ]);
    const command = open(10, false);
    command.audit.note(entry);
    expect(command.read().trim().split("\n")).toHaveLength(2);
  });

  test("is not written where none is wanted", () => {
    open(0).audit.note(entry);
    expect(existsSync(join(folder.path, "audit.log"))).toBe(false);
  });

  test("that cannot be written is told once, and what is missing is in it later", () => {
    const { audit, troubles, read } = open(1_000_000);
    const path = join(folder.path, "audit.log");
    mkdirSync(path);
    audit.note(entry);
    audit.note(entry);
    expect(troubles).toEqual([expect.stringContaining("EISDIR")]);
    rmSync(path, { recursive: true });
    writeFileSync(path, '{"half');
    audit.note({ ...entry, credits: 2 });
    expect(read()).toMatch(/^\{"half\n\{.*"audit\.gap".*"lost":2\}\n\{.*"credits":2\}\n$/);
  });
});
