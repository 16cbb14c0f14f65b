/**
 * `kill -9` amid uploads, deletes and searches, again and again on one data directory. After each restart every file
 * whose upload was answered is there and found, every file whose deletion was answered is not, and nothing else is.
 */
import type { BenchOptions } from "./options.ts";
import { BenchServer } from "./server.ts";
import { percentile, report } from "./statistics.ts";

const WORKERS = 4;

interface Ledger {
  /** fileId → a word that stands in this file alone. */
  readonly acknowledged: Map<string, string>;
  readonly deleted: Map<string, string>;
  /** Words of uploads, and ids of deletions, that were not answered when the process died: either outcome is right, half of one is not. */
  unansweredUploads: Set<string>;
  unansweredDeletes: Map<string, string>;
}

export async function benchDurability(options: BenchOptions): Promise<void> {
  const server = await new BenchServer().start();
  const ledger: Ledger = { acknowledged: new Map(), deleted: new Map(), unansweredUploads: new Set(), unansweredDeletes: new Map() };
  const ready: number[] = [];
  let lost = 0, returned = 0, half = 0, visible = 0, number = 0;
  for (let round = 0; round < options.rounds; round++) {
    let running = true;
    const work = Array.from({ length: WORKERS }, async () => {
      while (running) await oneAction(server, ledger, () => `beacon${(number++).toString(36)}q${round}`);
    });
    await Bun.sleep(200 + Math.random() * 800);
    await server.stop("SIGKILL");
    running = false;
    await Promise.all(work);
    await server.start();
    ready.push(server.readyMilliseconds);

    const listed = new Map((((await (await server.fetch("/v1/files?datasetId=bench")).json()) as { files: { fileId: string; originalName: string }[] }).files).map((file) => [file.fileId, file.originalName]));
    for (const [fileId, word] of ledger.unansweredDeletes) {
      if (!listed.has(fileId)) ledger.deleted.set(fileId, word);
      else ledger.acknowledged.set(fileId, word);
    }
    for (const [fileId, name] of listed) {
      const word = name.replace(/\.md$/, "");
      if (ledger.unansweredUploads.has(word)) {
        // Committed, and killed before the answer left: whole is right, and it is counted.
        visible++;
        ledger.acknowledged.set(fileId, word);
      }
      if (ledger.deleted.has(fileId)) returned++;
    }
    ledger.unansweredUploads = new Set();
    ledger.unansweredDeletes = new Map();
    for (const [fileId] of ledger.acknowledged) if (!listed.has(fileId)) lost++;
    if (listed.size !== ledger.acknowledged.size) half += Math.abs(listed.size - ledger.acknowledged.size);
    for (const [fileId, word] of sample([...ledger.acknowledged], 12)) {
      const hits = await server.search(`Where is ${word}?`, [{ key: "fileId", match: { value: fileId } }]);
      const content = await server.fetch(`/v1/files/${fileId}`).then((response) => response.json() as Promise<{ files: { permanentUrl: string }[] }>).then((body) => fetch(body.files[0]!.permanentUrl)).then((response) => response.text());
      if (!hits.some((hit) => hit.pageContent.includes(word)) || !content.includes(word)) half++;
    }
    for (const [fileId] of sample([...ledger.deleted], 12)) {
      if ((await server.search("Where is the beacon?", [{ key: "fileId", match: { value: fileId } }])).length > 0) returned++;
    }
  }
  console.log(`${options.rounds} rounds, ${ledger.acknowledged.size} files kept, ${ledger.deleted.size} deleted, ${visible} committed but killed before their answer left`);
  report({ name: "acknowledged files lost", value: lost, unit: "", goal: { atMost: 0 } });
  report({ name: "deleted files back", value: returned, unit: "", goal: { atMost: 0 } });
  report({ name: "files half there", value: half, unit: "", goal: { atMost: 0 } });
  report({ name: "slowest restart to ready", value: percentile(ready, 1), unit: "ms", baseline: { name: "median", value: percentile(ready, 0.5) }, goal: { atMost: 2000 } });
  await server.stop();
  server.remove();
}

async function oneAction(server: BenchServer, ledger: Ledger, newWord: () => string): Promise<void> {
  const choice = Math.random();
  if (choice < 0.25 && ledger.acknowledged.size > 20) {
    const [fileId, word] = sample([...ledger.acknowledged], 1)[0]!;
    ledger.acknowledged.delete(fileId);
    ledger.unansweredDeletes.set(fileId, word);
    const answered = await server.fetch(`/v1/files/${fileId}`, { method: "DELETE" }).then((response) => response.status === 200, () => false);
    if (!answered) return;
    ledger.unansweredDeletes.delete(fileId);
    ledger.deleted.set(fileId, word);
  } else if (choice < 0.5) {
    await server.search("Where is the beacon?").catch(() => {});
  } else {
    const word = newWord();
    ledger.unansweredUploads.add(word);
    const fileId = await server.upload(`${word}.md`, `# ${word}\n\nThe keeper wrote ${word} into the log and lit the lamp.\n`).catch(() => null);
    if (fileId === null) return;
    ledger.unansweredUploads.delete(word);
    ledger.acknowledged.set(fileId, word);
  }
}

function sample<Item>(items: Item[], count: number): Item[] {
  return Array.from({ length: Math.min(count, items.length) }, () => items[Math.floor(Math.random() * items.length)]!);
}
