/** A thousand Markdown files, one request each, from four clients, while another client searches. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { BenchOptions } from "./options.ts";
import { BenchServer, timed } from "./server.ts";
import { percentile, report } from "./statistics.ts";
import { questionsFrom, readPassages } from "./text.ts";

const FILES = 1000;
const BYTES_PER_FILE = 5000;

export async function benchUpload(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(20_000, options.text);
  console.log(`text: ${origin}`);
  const files: string[] = [];
  for (let next = 0; files.length < FILES; ) {
    let text = `# Document ${files.length + 1}\n`;
    while (Buffer.byteLength(text) < BYTES_PER_FILE)
      text += `\n${next % 3 === 0 ? `## Section ${next}\n\n` : ""}${passages[next++ % passages.length]}\n`;
    files.push(text);
  }
  const questions = questionsFrom(passages, 500);
  const server = await new BenchServer().start();
  await server.upload("warm.md", files[0]!);
  for (const question of questions.slice(0, 200)) await server.search(question);

  let uploading = true;
  const searches: number[] = [];
  const searching = (async () => {
    for (let index = 0; uploading; index++) {
      searches.push(...(await timed([questions[index % questions.length]!], 1, (question) => server.search(question))));
      await Bun.sleep(10);
    }
  })();
  await server.longestStall();
  const started = performance.now();
  const times = await timed(files, 4, (text, index) => server.upload(`document-${index}.md`, text));
  const seconds = (performance.now() - started) / 1000;
  uploading = false;
  await searching;
  const chunks = (
    new Database(join(server.directory, "lectern.db"), { readonly: true })
      .query("SELECT COUNT(*) AS chunks FROM chunks")
      .get() as { chunks: number }
  ).chunks;
  const baseline = { name: "plain SQLite commits", value: plainCommits(server.directory) };
  report({
    name: `upload of ${FILES} Markdown files, ${chunks} chunks`,
    value: seconds,
    unit: "s",
    baseline,
    goal: { atMost: 30 },
  });
  report({ name: "upload p50, four clients", value: percentile(times, 0.5), unit: "ms" });
  report({ name: "search p50 meanwhile", value: percentile(searches, 0.5), unit: "ms" });
  report({ name: "search p99 meanwhile", value: percentile(searches, 0.99), unit: "ms", goal: { atMost: 100 } });
  report({
    name: "longest stall of the main thread meanwhile",
    value: await server.longestStall(),
    unit: "ms",
    goal: { atMost: 10 },
  });
  await server.stop();
  server.remove();
}

/** Seconds that as many durable SQLite transactions of one row of text take: what no upload can go below. */
function plainCommits(directory: string): number {
  const database = new Database(join(directory, "baseline.db"), { create: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  database.run("CREATE TABLE files (text TEXT)");
  const insert = database.prepare("INSERT INTO files VALUES (?)");
  const text = "x".repeat(BYTES_PER_FILE);
  const started = performance.now();
  for (let file = 0; file < FILES; file++) insert.run(text);
  const seconds = (performance.now() - started) / 1000;
  database.close();
  return seconds;
}
