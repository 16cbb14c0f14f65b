/** The executable for arm64, on this machine by emulation: with all its processes and libraries it finds in the samples what the one for x64 finds. */
import { expect, setDefaultTimeout } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emulated } from "../../scripts/package/arm64-emulation.ts";
import { sampleQuestions } from "../../scripts/quickstart-questions.ts";
import { projectRoot } from "../../src/native/index.ts";
import { testWith } from "../requirements.ts";
import { arm64Root, packages, unpack } from "./packages.ts";

setDefaultTimeout(1_200_000);

/** Emulation takes ten times as long, and on a busy machine some file's reader is given up before it has started. */
const ATTEMPTS = 5;
const patience = { LECTERN_EXTRACT_PROCESSES: "1", LECTERN_EXTRACT_SECONDS: "600" };

const requirements = [packages.requirement, arm64Root.requirement];
testWith(...requirements)(
  "the executable for arm64 answers the quickstart's questions as the one for x64 does",
  async () => {
    const found = await answers("linux-arm64", (place, command) => emulated(arm64Root.folder, place, command));
    expect(found.version).toContain("(linux-arm64,");
    const expected = await answers("linux-x64", (_place, command) => command);
    expect(found.results).toEqual(expected.results);
    expect(found.results).toHaveLength(sampleQuestions.length);
  },
);

/** Indexes the samples by the executable of a package, run as `as` says, and asks all questions: for each, the first documents with their scores. */
async function answers(
  target: string,
  as: (place: string, command: string[]) => string[],
): Promise<{ version: string; results: string[] }> {
  const { folder, remove } = unpack(target);
  const place = mkdtempSync(join(tmpdir(), "lectern-arm64-"));
  mkdirSync(join(place, "home"));
  const start = (...words: string[]): Bun.Subprocess<"ignore", "pipe", "pipe"> =>
    Bun.spawn(as(place, [join(folder, "lectern"), ...words, "--data-dir", join(place, "data")]), {
      env: { PATH: process.env.PATH, HOME: join(place, "home"), ...patience },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  const run = async (...words: string[]): Promise<{ code: number; text: string }> => {
    const child = start(...words);
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, text: out + err };
  };
  const { text: version } = await run("version");

  const server = start("serve", "--json", "--port", "0");
  const log = new Response(server.stderr).text();
  try {
    const { apiKey, url } = await firstRecords(server.stdout);
    let ingested = { code: 1, text: "" };
    for (let attempt = 0; ingested.code !== 0 && attempt < ATTEMPTS; attempt++)
      ingested = await run("ingest", join(projectRoot, "samples"), "--dataset", "samples", "--sync");
    expect(ingested.code, ingested.text).toBe(0);

    const results: string[] = [];
    for (const { question } of sampleQuestions) {
      const answer = await fetch(`${url}/v1/search`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ datasetId: "samples", question }),
      });
      const { data } = (await answer.json()) as { data: { score: number; metadata: { originalName: string } }[] };
      results.push(
        `${question} ${data
          .slice(0, 3)
          .map(({ score, metadata }) => `${metadata.originalName} ${score.toFixed(2)}`)
          .join(", ")}`,
      );
    }
    server.kill("SIGTERM");
    expect(await server.exited, await log).toBe(0);
    return { version, results };
  } finally {
    server.kill("SIGKILL");
    rmSync(place, { recursive: true });
    remove();
  }
}

/** What `serve --json` says until it has told its address, as one record. */
async function firstRecords(output: ReadableStream<Uint8Array>): Promise<{ apiKey?: string; url?: string }> {
  let said = "";
  for await (const bytes of output) {
    said += new TextDecoder().decode(bytes);
    if (said.includes('"url"')) break;
  }
  return Object.assign(
    {},
    ...said
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object),
  ) as object;
}
