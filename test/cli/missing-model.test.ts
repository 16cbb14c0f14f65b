/** Models that were chosen and are not there are told at the start, by `/readyz` and by `doctor`, and not by every query alone. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tinyModel } from "../answers/gguf-writer.ts";
import { until } from "../harness.ts";
import { lectern, post, serve, spawnLectern, temporaryFolder, type Server } from "./lectern.ts";

setDefaultTimeout(60_000);

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder.remove());
const model = (name: string): string => join(folder.dataDirectory, "models", name);

interface Readiness {
  readonly status: string;
  readonly message?: string;
}

const readiness = async (server: Server): Promise<{ status: number; body: Readiness }> => {
  const response = await fetch(`${server.url}/readyz`);
  return { status: response.status, body: (await response.json()) as Readiness };
};
const is = (server: Server, status: string) => async () => (await readiness(server)).body.status === status;

function addAnswerModel(name: string, content: Uint8Array | string): void {
  mkdirSync(model(name), { recursive: true, mode: 0o700 });
  writeFileSync(join(model(name), "model.gguf"), content);
}

test("a language model that is not there", async () => {
  const server = await serve(folder.dataDirectory, ["--answer-model", "gone"]);
  await until(is(server, "degraded"), 20_000);
  expect(await readiness(server)).toMatchObject({
    status: 200,
    body: {
      message: expect.stringContaining(
        'The language model "gone" is not there, and queries are not answered. Add it again',
      ),
    },
  } as never);
  expect((await readiness(server)).body.message).not.toContain(folder.path);
  // Everything else works.
  const search = await post(server, "/v1/search", server.apiKey!, { datasetId: "d", question: "q" });
  expect(search.status).toBe(200);
  const doctor = await lectern(["doctor", "--data-dir", folder.dataDirectory]);
  expect(doctor.stdout.replace(/\n +/g, " ")).toContain(
    'works, but not all of it. The language model "gone" is not there',
  );

  addAnswerModel("gone", tinyModel({ script: ["Yes", "."] }));
  await until(is(server, "ready"), 20_000);
  expect(await server.stop()).toBe(0);
});

test("one that is damaged; the log says it at the start", async () => {
  addAnswerModel("broken", "this is no model");
  const { process, result } = spawnLectern([
    "serve",
    "--port",
    "0",
    "--data-dir",
    folder.dataDirectory,
    "--answer-model",
    "broken",
  ]);
  await until(
    async () => (await lectern(["doctor", "--data-dir", folder.dataDirectory])).stdout.includes("but not all of it"),
    40_000,
  );
  process.kill("SIGTERM");
  const { code, stderr } = await result;
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /error The language model "broken" cannot be used, and queries are not answered\..*is no GGUF file/s,
    ),
  ] as never);
});

test("an embedding model that is not there: the start is refused, with what to do", async () => {
  const { code, stderr } = await lectern([
    "serve",
    "--port",
    "0",
    "--model",
    "gone",
    "--data-dir",
    folder.dataDirectory,
  ]);
  expect([code, stderr]).toEqual([
    1,
    `lectern: There is no embedding model "gone": ${model("gone")} is missing. Put it back (lectern model add), choose another that \`lectern model list\` shows, or go back to the built-in one: lectern model use default\n`,
  ]);
});

test("an embedding model that is chosen beside a running server and cannot be used", async () => {
  const server = await serve(folder.dataDirectory);
  await until(is(server, "ready"), 20_000);
  const path = join(folder.dataDirectory, "lectern.toml");
  writeFileSync(path, 'model = "gone"\n', { mode: 0o600 });
  await until(is(server, "degraded"), 20_000);
  expect(await readiness(server)).toMatchObject({
    status: 200,
    body: {
      message: expect.stringContaining("The embedding model that was chosen cannot be used, and the present one stays"),
    },
  } as never);
  rmSync(path);
  await until(is(server, "ready"), 20_000);
  expect(await server.stop()).toBe(0);
});
