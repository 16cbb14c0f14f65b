/**
 * Documents that are replaced without end by their external ids, beside clients that search for them: each search must find its document
 * exactly once, as it was or as it is.
 */
import { uploadForm } from "./client.ts";
import type { BenchOptions } from "./options.ts";
import { BenchServer, timed } from "./server.ts";
import { percentile, report } from "./statistics.ts";
import { readPassages } from "./text.ts";

const DOCUMENTS = 200;
const UPLOADING = 4;
const SEARCHING = 4;
/** Of one search beside the replacements; what lies between two searches of a client. */
const PAUSE_MILLISECONDS = 10;
const EXAMPLES_SHOWN = 5;

export async function benchReplace(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(DOCUMENTS, options.text);
  console.log(`text: ${origin}`);
  const server = await new BenchServer().start();
  try {
    const replace = async (document: number, version: number): Promise<void> => {
      const form = uploadForm(
        { datasetId: "bench", externalId: `document-${document}`, path: `${nameOf(document)}.md` },
        { "document.md": `# Document ${nameOf(document)}, version ${version}\n\n${passages[document]!}` },
      );
      const { status, body } = await server.call("POST", "/v1/files/upload", form);
      if (status !== 200) throw new Error(`a replacement answered ${status}: ${JSON.stringify(body)}`);
    };
    await timed([...passages.keys()].slice(0, DOCUMENTS), UPLOADING, (document) => replace(document, 0));

    /** Files that a search for the document finds. */
    const find = async (document: number): Promise<number> => {
      const hits = await server.search(`${nameOf(document)}: ${passages[document]!.slice(0, 200)}`);
      const ofDocument = hits.filter(({ metadata }) => metadata.path === `${nameOf(document)}.md`);
      return new Set(ofDocument.map(({ metadata }) => metadata.fileId)).size;
    };
    const findable: number[] = [];
    for (let document = 0; document < DOCUMENTS; document++) if ((await find(document)) === 1) findable.push(document);
    report({ name: `of ${DOCUMENTS} documents, found at rest`, value: findable.length, unit: "" });

    let replacing = true;
    const wrong: string[] = [];
    const searching = Array.from({ length: SEARCHING }, async (_, client) => {
      const times: number[] = [];
      for (let turn = client; replacing; turn += SEARCHING) {
        const document = findable[turn % findable.length]!;
        const started = performance.now();
        const found = await find(document);
        times.push(performance.now() - started);
        if (found !== 1) wrong.push(`document ${document}: found ${found} times`);
        await Bun.sleep(PAUSE_MILLISECONDS);
      }
      return times;
    });
    const replacements = Array.from({ length: options.replacements }, (_, at) => at);
    const started = performance.now();
    const times = await timed(replacements, UPLOADING, (at) => replace(at % DOCUMENTS, 1 + Math.floor(at / DOCUMENTS)));
    const seconds = (performance.now() - started) / 1000;
    replacing = false;
    const searches = (await Promise.all(searching)).flat();

    report({
      name: `${options.replacements} replacements, ${UPLOADING} clients`,
      value: options.replacements / seconds,
      unit: "/s",
    });
    report({ name: "replacement p50", value: percentile(times, 0.5), unit: "ms" });
    report({ name: "replacement p99", value: percentile(times, 0.99), unit: "ms" });
    report({ name: `search p50 meanwhile, ${SEARCHING} clients`, value: percentile(searches, 0.5), unit: "ms" });
    report({ name: "search p99 meanwhile", value: percentile(searches, 0.99), unit: "ms", goal: { atMost: 60 } });
    report({
      name: `of ${searches.length} searches, found twice or not at all`,
      value: wrong.length,
      unit: "",
      goal: { atMost: 0 },
    });
    for (const example of wrong.slice(0, EXAMPLES_SHOWN)) console.log(`  ${example}`);
  } finally {
    await server.stop();
    server.remove();
  }
}

/** A word that no other document has. */
function nameOf(document: number): string {
  return `d${document}d`;
}
