/** `lectern model use` with datasets of another model: beside a running server, and without one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeTinyModel } from "../embedding/tiny-model.ts";
import { lectern, serve, temporaryFolder } from "./lectern.ts";

const folder = temporaryFolder();
const run = (...words: string[]) => lectern([...words, "--data-dir", folder.dataDirectory]);
afterAll(() => folder.remove());

const bestFile = async (question: string): Promise<string> =>
  (await run("search", question, "--dataset", "d", "--json")).json()[0].metadata.originalName;

beforeAll(async () => {
  await run("customer", "create", "acme", "--credits", "unlimited");
  for (const name of ["tiny", "other"]) {
    mkdirSync(join(folder.path, name));
    writeTinyModel({ pooling: "mean", manifest: { name, maxTokens: 64 } }, join(folder.path, name));
    expect((await run("model", "add", join(folder.path, name))).code).toBe(0);
  }
  const documents = join(folder.path, "documents");
  mkdirSync(documents);
  for (const colour of ["red", "green", "blue"])
    writeFileSync(join(documents, `${colour}.txt`), `${colour} rock ${colour} sea`);
  expect((await run("ingest", documents, "--dataset", "d")).code).toBe(0);
});

test("left for later, the old vectors answer, and their model cannot be removed", async () => {
  expect((await run("model", "use", "tiny", "--later", "--json")).json()).toMatchObject({
    name: "tiny",
    datasets: 1,
    reembedding: "next",
  });
  expect(await bestFile("blue sea")).toBe("blue.txt");
  const status = (await run("model", "status", "--json")).json();
  expect(status).toMatchObject({
    running: false,
    datasets: [{ customerId: "acme", datasetId: "d", chunks: 3, done: 0 }],
  });
  expect(status.modelId).toStartWith("tiny@1#");
  expect((await run("model", "list")).stdout).toContain("1 dataset is to be embedded anew: 0 of 3 chunks are done");
  expect((await run("doctor")).stdout).toMatch(/1 datasets were embedded by .* are to be embedded anew/);
});

test("without a server the command embeds everything itself", async () => {
  expect((await run("model", "use", "tiny")).stdout).toBe(
    "Model tiny is used from now on, and every dataset is embedded by it.\n",
  );
  expect((await run("model", "status")).stdout).toStartWith("Every dataset is embedded by tiny@1#");
  expect(await bestFile("blue rock blue sea")).toBe("blue.txt");
});

test("a model whose vectors are still searched is not removed; afterwards it is", async () => {
  expect((await run("model", "use", "other", "--later")).code).toBe(0);
  const refused = await run("model", "remove", "tiny", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("The model tiny is still needed: 1 dataset is to be embedded anew");
  expect((await run("model", "use", "other")).code).toBe(0);
  expect((await run("model", "remove", "tiny", "--yes")).code).toBe(0);
  expect(existsSync(join(folder.dataDirectory, "models/tiny"))).toBe(false);
});

test("a running server goes over by itself", async () => {
  const server = await serve(folder.dataDirectory);
  try {
    expect((await run("model", "use", "default")).stdout).toMatch(
      /^The running server goes over to default now\. 1 dataset is to be embedded anew/,
    );
    const deadline = performance.now() + 20_000;
    while ((await run("model", "status", "--json")).json().datasets.length > 0)
      expect(performance.now()).toBeLessThan(deadline);
    expect(
      ((await fetch(`${server.url}/readyz`).then((response) => response.json())) as { model: string }).model,
    ).toStartWith("lectern");
    expect(await bestFile("blue sea")).toBe("blue.txt");
  } finally {
    await server.stop();
  }
}, 60_000);
