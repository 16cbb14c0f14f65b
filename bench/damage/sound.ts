/**
 * A data directory with some of everything, as a killed server leaves it: customers, documents of several formats, an index with
 * a graph, writes that are still in the write-ahead logs. And an older copy of it, and what it must answer.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/steps.ts";
import { uploadForm, type Client, type ListedFile } from "../client.ts";
import { Random } from "../random.ts";
import { BenchServer } from "../server.ts";
import type { Holding } from "./observation.ts";
import { filesByKind } from "./places.ts";

/** So that a few hundred chunks get a graph. */
export const ENVIRONMENT = {
  LECTERN_GRAPH_LIMIT: "200",
  LECTERN_EXACT_LIMIT: "0",
  LECTERN_LOG_LEVEL: "warn",
  LECTERN_LOG_FORMAT: "json",
};
const SAMPLES = [
  "bicycle-maintenance.md",
  "apiculture.html",
  "garantia.pdf",
  "urlaubsregelung.docx",
  "onderdelen.csv",
  "router-questions.json",
  "gomi-no-dashikata.txt",
];
const GRAPH_FILES = 4;
const PASSAGES_PER_FILE = 80;
const CREDITS = 1000;
const GRAPH_PATIENCE = 60_000;

export interface Sound {
  readonly directory: string;
  /** As it was before the last files came. */
  readonly older: string;
  readonly holdings: readonly Holding[];
  /** Hash and size of every uploaded file by its id. */
  readonly originals: ReadonlyMap<string, { readonly sha256: string; readonly size: number }>;
}

/** Makes both below `folder`. */
export async function makeSound(folder: string): Promise<Sound> {
  const server = new BenchServer(join(folder, "sound"), ENVIRONMENT);
  const older = join(folder, "older");
  const alpha = new Uploads(await server.createCustomer("alpha", CREDITS));
  const beta = new Uploads(await server.createCustomer("beta", CREDITS));
  writeFileSync(join(server.directory, "lectern.toml"), 'max_queued_texts = "90k"\nshutdown_seconds = "20s"\n');
  await server.start();
  for (let file = 0; file < GRAPH_FILES; file++) await alpha.add("graph", `lamps-${file}.md`, lamps(file), "60");
  for (const name of SAMPLES.slice(0, 4)) await alpha.add("plain", name, readFileSync(join(root, "samples", name)));
  await beta.add("plain", "note.md", "# Note\n\nThe spare lamp lies in the third drawer.\n");
  // An index is opened, and then saved, by the first search.
  await server.search("Who lit the lamp?", [], "graph");
  await graphIsSaved(server.directory);
  await server.stop();
  await copyFolder(server.directory, older);

  await server.start();
  for (const name of SAMPLES.slice(4)) await alpha.add("plain", name, readFileSync(join(root, "samples", name)));
  await alpha.add("graph", "last.md", lamps(GRAPH_FILES), "60");
  await beta.add("plain", "letter.txt", "The harbour master asks for the lamp to be lit at six.\n");
  await alpha.remove("graph", 1);
  const holdings = [
    await alpha.holding(server, "alpha", {
      graph: graphQuestions(),
      plain: ["How is the chain cleaned?", "garantía", "Urlaub", "spare parts", "router", "bees"],
    }),
    await beta.holding(server, "beta", { plain: ["Where is the spare lamp?", "When is it lit?"] }),
  ];
  await server.stop("SIGKILL");
  return { directory: server.directory, older, holdings, originals: new Map([...alpha.originals, ...beta.originals]) };
}

export async function copyFolder(from: string, to: string): Promise<void> {
  const copy = Bun.spawn(["cp", "-a", "--reflink=auto", from, to], { stderr: "inherit" });
  if ((await copy.exited) !== 0) throw new Error(`${from} could not be copied to ${to}`);
}

/** What one customer uploads. */
class Uploads {
  readonly originals = new Map<string, { sha256: string; size: number }>();
  private readonly files = new Map<string, string[]>();

  constructor(private readonly client: Client) {}

  async add(datasetId: string, name: string, content: string | Buffer, chunkSize = "300"): Promise<void> {
    const bytes = new Uint8Array(Buffer.from(content));
    const { status, body } = await this.client.call(
      "POST",
      "/v1/files/upload",
      uploadForm({ datasetId, chunkSize, chunkOverlap: "0", extraMeta: JSON.stringify({ name }) }, { [name]: bytes }),
    );
    if (status !== 200) throw new Error(`${name} was answered ${status}: ${JSON.stringify(body)}`);
    const { fileId } = (body as { files: ListedFile[] }).files[0]!;
    this.files.set(datasetId, [...(this.files.get(datasetId) ?? []), fileId]);
    this.originals.set(fileId, {
      sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
      size: bytes.length,
    });
  }

  async remove(datasetId: string, index: number): Promise<void> {
    const fileId = this.files.get(datasetId)!.splice(index, 1)[0]!;
    await this.client.call("DELETE", `/v1/files/${fileId}`);
    this.originals.delete(fileId);
  }

  async holding(
    server: BenchServer,
    customerId: string,
    questions: Record<string, readonly string[]>,
  ): Promise<Holding> {
    const datasets = Object.entries(questions).map(([datasetId, asked]) => ({
      datasetId,
      questions: asked,
      fileIds: this.files.get(datasetId)!,
    }));
    const token = (
      (await this.client.call("POST", "/v1/tokens/create", { datasetId: datasets[0]!.datasetId, ttlSeconds: 86_400 }))
        .body as { token: string }
    ).token;
    const detail = (await this.client.call("GET", `/v1/files/${datasets[0]!.fileIds[0]}`)).body as {
      files: ListedFile[];
    };
    const link = new URL(detail.files[0]!.permanentUrl!);
    return {
      customerId,
      key: (await server.createKey(customerId)).apiKey,
      token,
      datasets,
      link: link.pathname + link.search,
    };
  }
}

const COLOURS = ["red", "green", "white", "amber", "blue", "violet"];
const THINGS = ["lamp", "buoy", "rope", "tide table", "log book", "oil can", "foghorn", "signal flag"];
const DEEDS = ["lit", "painted", "counted", "mended", "wrote of", "carried up", "looked for", "gave away"];

/** A file whose every passage has a word of its own. */
function lamps(file: number): string {
  const random = new Random(file);
  return Array.from(
    { length: PASSAGES_PER_FILE },
    (_, passage) =>
      `The keeper of watch${file}x${passage} ${random.pick(DEEDS)} the ${random.pick(COLOURS)} ${random.pick(THINGS)} before the ${random.pick(COLOURS)} ${random.pick(THINGS)} came, and nobody on the shore knew why it had to be done at night.`,
  ).join("\n\n");
}

function graphQuestions(): string[] {
  const words = [0, 2, 3, 4].flatMap((file) => [3, 41, 77].map((passage) => `Who is watch${file}x${passage}?`));
  return [
    ...words,
    "Who painted the red buoy?",
    "What became of the foghorn?",
    "Why at night?",
    "a flag that is violet",
  ];
}

async function graphIsSaved(directory: string): Promise<void> {
  const started = performance.now();
  const isThere = () => filesByKind(directory).has("an index's graph");
  while (!isThere() && performance.now() - started < GRAPH_PATIENCE) await Bun.sleep(100);
  if (!isThere()) console.log("no graph was saved within a minute: its damages are not tried");
}
