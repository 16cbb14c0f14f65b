/**
 * `bun run quickstart`: from a fresh clone to searched documents. Installs, builds the executable, starts it on an empty
 * data directory, ingests `samples/`, asks questions in several languages, says how to go on, and stops.
 * `--keep` leaves the server running.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { spawn, type ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleQuestions } from "./quickstart-questions.ts";
import { build, install, root, step } from "./steps.ts";

const executable = join(root, "dist/lectern");
const START_SECONDS = 30;
const keep = process.argv.includes("--keep");

interface RunningServer {
  process: ChildProcess;
  url: string;
  apiKey: string;
}

/** Starts the executable with its output in files, so that it can outlive this script, and reads its key and address from there. */
async function startServer(dataDirectory: string): Promise<RunningServer> {
  const outPath = join(dataDirectory, "server.out");
  const out = openSync(outPath, "a", 0o600);
  const log = openSync(join(dataDirectory, "server.log"), "a", 0o600);
  const data = join(dataDirectory, "data");
  const server = spawn(executable, ["serve", "--json", "--port", "0", "--data-dir", data], {
    detached: true,
    stdio: ["ignore", out, log],
  });
  closeSync(out);
  closeSync(log);

  const deadline = performance.now() + START_SECONDS * 1000;
  while (performance.now() < deadline && server.exitCode === null) {
    const records = readRecords(outPath);
    const { apiKey } = records.find((record) => "apiKey" in record) ?? {};
    const { url } = records.find((record) => "url" in record) ?? {};
    if (apiKey && url) return { process: server, url, apiKey };
    await Bun.sleep(20);
  }
  server.kill("SIGKILL");
  throw new Error(`The server did not start:\n${readFileSync(join(dataDirectory, "server.log"), "utf8")}`);
}

/** The whole lines of a file, each a JSON object. */
function readRecords(path: string): Record<string, string>[] {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>);
}

async function stopServer(server: RunningServer): Promise<void> {
  if (server.process.exitCode !== null || server.process.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => server.process.once("exit", () => resolve()));
  server.process.kill("SIGTERM");
  await ended;
}

/** Asks every question over HTTP and prints a table. Resolves to how many found the right document first. */
async function askQuestions({ url, apiKey }: RunningServer): Promise<number> {
  let right = 0;
  const width = (text: string, columns: number): string =>
    text + " ".repeat(Math.max(0, columns - Bun.stringWidth(text)));
  console.log(`\n    ${width("QUESTION", 62)}${width("FOUND FIRST", 26)}SCORE    TIME`);
  for (const { languages, question, document } of sampleQuestions) {
    const started = performance.now();
    const response = await fetch(`${url}/v1/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ datasetId: "samples", question }),
    });
    const { data } = (await response.json()) as {
      data: { score: number; pageContent: string; metadata: { originalName: string } }[];
    };
    const milliseconds = performance.now() - started;
    const best = data[0];
    const isRight = best?.metadata.originalName === document;
    if (isRight) right++;
    console.log(
      `${isRight ? "  ✓ " : "  · "}${width(question, 62)}${width(best?.metadata.originalName ?? "nothing", 26)}${best?.score.toFixed(2) ?? "-"} ${milliseconds.toFixed(1).padStart(7)} ms`,
    );
    console.log(`      ${width(languages, 24)}${excerpt(best?.pageContent ?? "")}`);
  }
  return right;
}

function excerpt(text: string): string {
  let shown = "";
  for (const character of text.replace(/\s+/g, " ")) {
    if (Bun.stringWidth(shown) >= 84) return `${shown}…`;
    shown += character;
  }
  return shown;
}

function sayHowToGoOn({ url, apiKey }: RunningServer, dataDirectory: string): void {
  const data = join(dataDirectory, "data");
  console.log(`
The address and key of this server:
  ${url}
  ${apiKey}

Ask it yourself:
  curl -s ${url}/v1/search -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '{"datasetId": "samples", "question": "How is the chain cleaned and oiled?"}'

Or on the command line:
  dist/lectern search "How is the chain cleaned and oiled?" --dataset samples --data-dir ${data}
  dist/lectern ingest FOLDER --dataset mine --data-dir ${data}

The interface is described at ${url}/openapi; everything else is in README.md.`);
}

if (!(await install()).ok || !(await build()).ok) process.exit(1);
const dataDirectory = mkdtempSync(join(tmpdir(), "lectern-quickstart-"));
let server: RunningServer | null = null;
let exitCode = 0;
try {
  const started = performance.now();
  server = await startServer(dataDirectory);
  console.log(
    `Starting the server on an empty data directory … done, ${((performance.now() - started) / 1000).toFixed(2)} s: customer "default" and its API key are made`,
  );
  const ingest = [
    executable,
    "ingest",
    join(root, "samples"),
    "--dataset",
    "samples",
    "--data-dir",
    join(dataDirectory, "data"),
  ];
  if (!(await step("Indexing the documents in samples/", ingest)).ok)
    throw new Error("The sample documents could not be indexed.");

  const right = await askQuestions(server);
  if (right < sampleQuestions.length / 2)
    throw new Error("Most questions did not find the right document: this build does not search well.");
  console.log(`\n${right} of ${sampleQuestions.length} questions found the right document first.`);
  sayHowToGoOn(server, dataDirectory);
} catch (error) {
  console.error((error as Error).message);
  exitCode = 1;
}
if (server && keep && exitCode === 0) {
  server.process.unref();
  console.log(
    `\nThe server goes on running as process ${server.process.pid}; its data is in ${dataDirectory}. Stop it with: kill ${server.process.pid}`,
  );
} else {
  if (server) await stopServer(server);
  rmSync(dataDirectory, { recursive: true, force: true });
  if (exitCode === 0)
    console.log(
      "\nThis was a trial: the server is stopped now and its data removed. `bun run quickstart --keep` leaves both.",
    );
}
process.exit(exitCode);
