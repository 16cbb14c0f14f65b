/**
 * Every recipe is run as it is on a real server, with the packages that it is for. They are fetched into build/recipes/ when they are
 * missing there; where their registry is out of reach, or has them not, the recipe is skipped.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileTypeScriptClient } from "../../scripts/clients/compile.ts";
import { startLectern, type TestServer } from "../harness.ts";
import { describeWith, program, testWith, type Requirement } from "../requirements.ts";

const root = join(import.meta.dir, "../..");
const recipes = join(root, "clients/recipes");
const build = join(root, "build/recipes");
/** Where nothing is to be reached, that is known sooner. */
const INSTALL_MILLISECONDS = 180_000;
const QUESTION = "How is the chain cleaned?";
const CHAIN = "The chain is cleaned with a brush and a drop of oil.";

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startLectern();
  ({ key } = server.customer());
  await server.upload(
    key,
    "handbook",
    { "chain.txt": CHAIN, "bell.txt": "A bell warns people." },
    { extraMeta: '{"year":2026}' },
  );
});
afterAll(() => server.stop());

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: string[], cwd: string, environment: Record<string, string> = {}): Promise<Ran> {
  const env = { ...process.env, LECTERN_URL: server.url, LECTERN_KEY: key, ...environment };
  const child = Bun.spawn(command, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

/** Runs an installer in an empty folder below build/, which is kept once it has succeeded. */
function fetched(
  name: string,
  what: string,
  prepare: (folder: string) => void,
  command: (folder: string) => string[],
): Requirement {
  const folder = join(build, name);
  const isThere = (): boolean => existsSync(join(folder, "installed"));
  if (!isThere()) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    prepare(folder);
    const [first = "", ...rest] = command(folder);
    if (Bun.which(first) !== null) {
      const options = { cwd: folder, stdout: "ignore", stderr: "ignore", timeout: INSTALL_MILLISECONDS } as const;
      if (Bun.spawnSync([first, ...rest], options).exitCode === 0) writeFileSync(join(folder, "installed"), "");
    }
  }
  return { isMet: isThere(), what };
}

/** Named after what the lock says, so that other versions are fetched anew. */
const lock = new Bun.CryptoHasher("sha256").update(await Bun.file(join(recipes, "bun.lock")).bytes()).digest("hex");
const npmFolder = `npm-${lock.slice(0, 12)}`;
const npm = fetched(
  npmFolder,
  "the npm registry to be reached",
  (folder) => {
    for (const name of ["package.json", "bun.lock"]) cpSync(join(recipes, name), join(folder, name));
  },
  () => [process.execPath, "install", "--frozen-lockfile", "--ignore-scripts"],
);

describeWith(npm)("for npm", () => {
  const folder = join(build, npmFolder);
  const files = readdirSync(recipes).filter((name) => name.endsWith(".ts"));

  beforeAll(() => {
    for (const name of files) cpSync(join(recipes, name), join(folder, name));
    const client = join(folder, "node_modules/lectern-client");
    mkdirSync(join(client, "dist"), { recursive: true });
    cpSync(join(root, "clients/typescript/package.json"), join(client, "package.json"));
    for (const [name, text] of Object.entries(compileTypeScriptClient()))
      writeFileSync(join(client, "dist", name), text);
  });

  test("the compiler takes them all, with the client's types", async () => {
    const options = {
      strict: true,
      module: "ESNext",
      moduleResolution: "bundler",
      target: "ES2022",
      lib: ["ES2023", "DOM", "DOM.AsyncIterable"],
      types: [],
      skipLibCheck: true,
      noEmit: true,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
    const { stdout } = await run([process.execPath, join(root, "node_modules/typescript/bin/tsc")], folder);
    expect(stdout).toBe("");
  });

  const begin = `import { Lectern } from "lectern-client";
    const { LECTERN_URL: url, LECTERN_KEY: key } = process.env;
    const lectern = new Lectern({ url, key });`;
  const asked = `{ datasetId: "handbook", limit: 1, filters: [{ key: "year", match: { value: 2026 } }] }`;
  const cases: Record<string, [string, unknown]> = {
    "langchain.ts": [
      `import { LecternRetriever } from "./langchain.ts";
      const found = await new LecternRetriever({ lectern, question: ${asked} }).invoke(${JSON.stringify(QUESTION)});
      console.log(JSON.stringify(found.map(({ pageContent, metadata }) => [pageContent, metadata.originalName, metadata.score > 0])));`,
      [[CHAIN, "chain.txt", true]],
    ],
    "llamaindex.ts": [
      `import { LecternRetriever } from "./llamaindex.ts";
      const found = await new LecternRetriever(lectern, ${asked}).retrieve(${JSON.stringify(QUESTION)});
      console.log(JSON.stringify(found.map(({ node, score }) => [node.text, node.metadata.originalName, score > 0])));`,
      [[CHAIN, "chain.txt", true]],
    ],
    "vercel-ai.ts": [
      `import { generateText, stepCountIs } from "ai";
      import { MockLanguageModelV3 } from "ai/test";
      import { searchTool } from "./vercel-ai.ts";
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
      const call = { type: "tool-call", toolCallId: "1", toolName: "search", input: JSON.stringify({ question: ${JSON.stringify(QUESTION)} }) };
      // A model that searches, then says what it was given.
      const model = new MockLanguageModelV3({
        doGenerate: async ({ prompt }) => {
          const given = prompt.at(-1);
          return given.role === "tool"
            ? { content: [{ type: "text", text: JSON.stringify(given.content[0].output.value) }], finishReason: { unified: "stop" }, usage, warnings: [] }
            : { content: [call], finishReason: { unified: "tool-calls" }, usage, warnings: [] };
        },
      });
      const tools = { search: searchTool(lectern, "handbook", "Bicycles.") };
      const { text } = await generateText({ model, tools, stopWhen: stepCountIs(3), prompt: "?" });
      console.log(JSON.stringify(JSON.parse(text).map((passage) => [passage.text, passage.source, passage.score > 0]).slice(0, 1)));`,
      [[CHAIN, "chain.txt", true]],
    ],
  };

  test("each is tried", () => {
    expect(Object.keys(cases).sort()).toEqual(files.sort());
  });

  test.each(Object.entries(cases))("%s finds what a search finds", async (_name, [code, expected]) => {
    const { stdout, stderr } = await run([process.execPath, "-e", `${begin}\n${code}`], folder);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});

describe("for Python", () => {
  const cases: Record<string, [string, string]> = {
    langchain_retriever: [
      "langchain-core>=1,<2",
      `found = LecternRetriever(lectern=lectern, dataset_id="handbook", search=search).invoke(question)
print(json.dumps([[one.page_content, one.metadata["originalName"], one.metadata["score"] > 0] for one in found]))`,
    ],
    llamaindex_retriever: [
      "llama-index-core>=0.12,<1",
      `found = LecternRetriever(lectern, "handbook", **search).retrieve(question)
print(json.dumps([[one.text, one.metadata["originalName"], one.score > 0] for one in found]))`,
    ],
  };

  test("each is tried", () => {
    const files = readdirSync(recipes).filter((name) => name.endsWith(".py"));
    expect(
      Object.keys(cases)
        .map((name) => `${name}.py`)
        .sort(),
    ).toEqual(files.sort());
  });

  for (const [name, [wanted, code]] of Object.entries(cases)) {
    const pip = fetched(
      name,
      `python3, and pip to find ${wanted}`,
      () => {},
      (folder) => [
        "python3",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--retries",
        "0",
        "--timeout",
        "20",
        "--target",
        folder,
        wanted,
      ],
    );
    testWith(pip)(`${name}.py finds what a search finds`, async () => {
      const begin = `import json, os
from lectern import Lectern
from ${name} import LecternRetriever
lectern = Lectern(os.environ["LECTERN_URL"], os.environ["LECTERN_KEY"])
search = {"limit": 1, "filters": [{"key": "year", "match": {"value": 2026}}]}
question = ${JSON.stringify(QUESTION)}`;
      const paths = [join(build, name), join(root, "clients/python"), recipes].join(":");
      const { stdout, stderr } = await run(["python3", "-B", "-c", `${begin}\n${code}`], root, { PYTHONPATH: paths });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toEqual([[CHAIN, "chain.txt", true]]);
    });
  }
});

describeWith(program("curl"), program("jq"))("shell.sh", () => {
  const sh = (line: string, environment: Record<string, string> = {}): Promise<Ran> =>
    run(["sh", "-uc", `. ${recipes}/shell.sh; ${line}`], build, environment);

  test("uploads, under an id, whatever the file is called", async () => {
    const path = join(build, 'a name "with", marks; é.txt');
    writeFileSync(path, "The saddle is as high as the hip.");
    const first = await sh(`lectern_upload shell "$FILE" saddle`, { FILE: path });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const again = await sh(`lectern_upload shell "$FILE" saddle`, { FILE: path });
    expect(again.stdout).toBe(first.stdout);
    const { body } = await server.call("GET", `/v1/files/${first.stdout.trim()}`, { key });
    expect(body.files).toMatchObject([{ originalName: 'a name "with", marks; é.txt', externalId: "saddle" }]);
  });

  test("searches and asks, with a question of any marks", async () => {
    const found = await sh(`lectern_search handbook 'How is the "chain" cleaned? $(no) \\ é'`);
    expect(found).toMatchObject({ code: 0, stderr: "" });
    expect(found.stdout.split("\n")[0]).toMatch(new RegExp(`^0\\.\\d+\tchain.txt\t${RegExp.escape(CHAIN)}$`));
    const answered = await sh(`lectern_ask handbook '${QUESTION}'`);
    expect(answered.stdout).toContain("brush");
    expect(answered.stdout).toContain("[1] chain.txt");
  });

  test("says what the server says, and fails, also behind a pipe", async () => {
    for (const line of [
      "lectern GET /v1/files/none",
      "lectern_search '' question",
      "lectern_upload shell /no/file id",
    ]) {
      const refused = await sh(line);
      expect([refused.code, refused.stdout], line).toEqual([1, ""]);
      expect(refused.stderr).not.toContain(key);
    }
    expect((await sh("lectern GET /v1/files/none")).stderr).toEndWith("There is no such file.\n");
  });

  test("comes again when a busy server says", async () => {
    let requests = 0;
    const busy = { error: "BUSY", message: "Later." };
    const scripted = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        ++requests === 1
          ? Response.json(busy, { status: 503, headers: { "retry-after": "1" } })
          : Response.json({ success: true, data: [] }),
    });
    const found = await sh("lectern_question /v1/search a b", { LECTERN_URL: `http://127.0.0.1:${scripted.port}` });
    await scripted.stop(true);
    expect([found.code, found.stdout, requests]).toEqual([0, '{"success":true,"data":[]}\n', 2]);
  });
});
