/** `lectern mcp`, started by the Model Context Protocol's own client: with a server beside it and alone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { lectern, serve, temporaryFolder, type Server } from "./lectern.ts";

const main = join(import.meta.dir, "../../src/main.ts");
const folder = temporaryFolder();
let server: Server | null = null;

beforeAll(async () => {
  const note = join(folder.path, "note.txt");
  writeFileSync(note, "The harbour gate is opened at six in the morning.");
  server = await serve(folder.dataDirectory);
  const { code } = await lectern(["ingest", note, "--dataset", "port", "--data-dir", folder.dataDirectory]);
  expect(code).toBe(0);
  const secret = join(folder.path, "secret.txt");
  writeFileSync(secret, "The vault is behind the clock.");
  await lectern(["ingest", secret, "--dataset", "vault", "--data-dir", folder.dataDirectory]);
  const book = join(folder.path, "book.txt");
  writeFileSync(
    book,
    Array.from({ length: 250 }, (_, day) => `On day ${day} of the voyage the sea was calm.`).join("\n\n"),
  );
  await lectern(["ingest", book, "--dataset", "books", "--chunk-size", "12", "--data-dir", folder.dataDirectory]);
});
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

async function assistant(words: string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const args = [main, "mcp", "--data-dir", folder.dataDirectory, ...words];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  return client;
}

const ways: readonly (readonly [what: string, isServed: boolean])[] = [
  ["through the running server", true],
  ["alone", false],
];
describe.each(ways)("%s", (_, isServed) => {
  beforeAll(async () => {
    if (isServed) return;
    await server?.stop();
    server = null;
  });

  test("an assistant searches, asks, lists and reads", async () => {
    const listed = await lectern(["file", "list", "--dataset", "vault", "--json", "--data-dir", folder.dataDirectory]);
    const elsewhere = listed.json()[0].fileId;
    const client = await assistant(["--dataset", "port"]);
    const textOf = async (name: string, given: Record<string, unknown>): Promise<string> =>
      ((await client.callTool({ name, arguments: given })).content as { text: string }[])[0]!.text;
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        "search",
        "ask",
        "list_files",
        "read_passage",
      ]);
      expect(await textOf("search", { question: "When is the gate opened?" })).toContain("at six in the morning");
      expect(await textOf("ask", { question: "When is the gate opened?" })).toContain("Sources:");
      const [fileId] = (await textOf("list_files", {})).split("  ");
      expect(await textOf("read_passage", { file: fileId, passage: 0 })).toContain("(of 1 passages)");
      const { resources } = await client.listResources();
      expect(resources.map(({ name }) => name)).toEqual(["note.txt"]);
      const text = async (uri: string) => ((await client.readResource({ uri })).contents[0] as { text: string }).text;
      expect(await text(resources[0]!.uri)).toContain("at six in the morning");
      expect(await textOf("search", { question: "" })).toContain("question");
      expect(await textOf("read_passage", { file: elsewhere, passage: 0 })).toBe("There is no such file.");
    } finally {
      await client.close();
    }
  });

  test("a resource shows the first passages of a long file, and how many more there are", async () => {
    const client = await assistant(["--dataset", "books"]);
    try {
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri: resources[0]!.uri });
      const { text } = contents[0] as { text: string };
      expect(text.match(/^\[\d+\] book\.txt/gm)).toHaveLength(200);
      expect(text).toMatch(/passage 199\)[^]+\(\d+ more passages: read_passage reads them\)$/);
    } finally {
      await client.close();
    }
  });
});

test("a line that is no request is told so, and what comes after it is answered", async () => {
  const lines = ["{bad", "[]", '{"hello":1}', '{"jsonrpc":"2.0","id":5,"method":"ping"}'];
  const { code, stdout } = await lectern(["mcp", "--data-dir", folder.dataDirectory], {}, `${lines.join("\n")}\n`);
  const unreadable = { code: -32700, message: "A line that was sent is no JSON-RPC 2.0 message." };
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(code).toBe(0);
  expect(answers).toHaveLength(lines.length);
  expect(answers).toContainEqual({ jsonrpc: "2.0", id: 5, result: {} });
  expect(answers.filter((one) => !("result" in one))).toEqual(
    Array(3).fill({ jsonrpc: "2.0", id: null, error: unreadable }),
  );
});

test("what was asked before standard input ended is answered, and nothing else is written", async () => {
  const asked = [
    { id: 1, method: "tools/call", params: { name: "search", arguments: { question: "gate", dataset: "port" } } },
    { id: 2, method: "ping" },
  ];
  const input = asked.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join("");
  const { code, stdout } = await lectern(["mcp", "--data-dir", folder.dataDirectory], {}, input);
  expect(code).toBe(0);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; result: any });
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
  expect(JSON.stringify(answers)).toContain("at six in the morning");
});

test("a dataset that is not there is said at once", async () => {
  const { code, stderr } = await lectern(["mcp", "--dataset", "prot", "--data-dir", folder.dataDirectory]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no dataset "prot"')]);
});
