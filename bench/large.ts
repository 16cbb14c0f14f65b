/**
 * One large file of each kind, each uploaded to a server of its own while another client searches: how long it takes, what memory it takes
 * above what the server took before, at the peak and some seconds after, and what searches notice of it.
 */
import { strToU8, zipSync } from "fflate";
import { pdfDocument } from "../test/documents/fixtures.ts";
import { uploadForm } from "./client.ts";
import type { BenchOptions } from "./options.ts";
import { descendants, ifAlive, memoryMegabytes } from "./process-figures.ts";
import { BenchServer, LIFTED } from "./server.ts";
import { percentile, report } from "./statistics.ts";
import { questionsFrom, readPassages } from "./text.ts";

const MEGABYTE = 1_000_000;
const PASSAGES = 100_000;
const TEXT_BYTES = 32 * MEGABYTE;
const HTML_BYTES = 20 * MEGABYTE;
const ROWS = 100_000;
const PAGES = 1250;
const LINES_PER_PAGE = 50;
const CHARACTERS_PER_LINE = 90;
/** Chunks of one upload: the text makes more than the limit's default. */
const MOST_CHUNKS = "100000";
const UPLOAD_MILLISECONDS = 600_000;
const SAMPLE_MILLISECONDS = 20;
/** Before and after an upload, until memory is looked at. */
const CALM_MILLISECONDS = 15_000;

type Make = (passages: readonly string[]) => Uint8Array<ArrayBuffer>;

const FILES: Record<string, Make> = {
  "text.txt": (passages) => strToU8(upTo(TEXT_BYTES, passages, (passage) => `${passage}\n\n`)),
  "page.html": (passages) => {
    const paragraph = (passage: string, at: number) =>
      `${at % 20 === 0 ? `<h2>Section ${at / 20 + 1}</h2>\n` : ""}<p>${escaped(passage)}</p>\n`;
    return strToU8(`<!doctype html><title>A long page</title><main>${upTo(HTML_BYTES, passages, paragraph)}</main>`);
  },
  "table.csv": (passages) =>
    strToU8(
      `number,name,note,price\n${rows((row) => `${row},${quoted(nameOf(passages, row))},${quoted(noteOf(passages, row))},${row / 100}\n`)}`,
    ),
  "workbook.xlsx": (passages) => workbook(passages),
  "manual.pdf": (passages) => manual(passages),
};

export async function benchLarge(options: BenchOptions): Promise<void> {
  const { passages, origin } = await readPassages(PASSAGES, options.text);
  console.log(`text: ${origin}`);
  const questions = questionsFrom(passages, 500);
  for (const [at, [name, make]] of Object.entries(FILES).entries())
    if (options.only === null || options.only === at + 1) await measure(name, make(passages), questions);
}

async function measure(name: string, bytes: Uint8Array<ArrayBuffer>, questions: readonly string[]): Promise<void> {
  const server = await new BenchServer(undefined, { ...LIFTED, LECTERN_MAX_UPLOAD_CHUNKS: MOST_CHUNKS }).start();
  try {
    await server.upload("before.txt", questions.join("\n\n"));
    for (const question of questions.slice(0, 200)) await server.search(question);
    await Bun.sleep(CALM_MILLISECONDS);
    const memory = new MemorySamples(server.pid);
    const searches = new Searches(server, questions);
    await server.longestStall();
    const started = performance.now();
    const form = uploadForm({ datasetId: "large" }, { [name]: bytes });
    const { status, body } = await server.call("POST", "/v1/files/upload", form, { limit: UPLOAD_MILLISECONDS });
    if (status !== 200) throw new Error(`the upload of ${name} answered ${status}: ${JSON.stringify(body)}`);
    const seconds = (performance.now() - started) / 1000;
    const times = await searches.end();
    const stall = await server.longestStall();
    await Bun.sleep(CALM_MILLISECONDS);
    const { peak, peakAnonymous, peakReader, after, afterAnonymous } = memory.end();

    console.log(`${name}, ${(bytes.length / MEGABYTE).toFixed(1)} MB`);
    report({ name: "  until it is found", value: seconds, unit: "s" });
    report({ name: "  memory above idle, peak", value: peak, unit: "MB", goal: { atMost: 250 } });
    report({ name: "  of it the server's own", value: peakAnonymous, unit: "MB" });
    report({ name: "  memory above idle, after", value: after, unit: "MB", goal: { atMost: 60 } });
    report({ name: "  of it the server's own", value: afterAnonymous, unit: "MB" });
    report({ name: "  the reading process, peak", value: peakReader, unit: "MB" });
    report({ name: "  search p50 meanwhile", value: percentile(times, 0.5), unit: "ms" });
    report({ name: "  search p99 meanwhile", value: percentile(times, 0.99), unit: "ms", goal: { atMost: 60 } });
    report({ name: "  longest stall of the main thread", value: stall, unit: "ms", goal: { atMost: 15 } });
  } finally {
    await server.stop();
    server.remove();
  }
}

/** Resident memory of a server above what it is now, megabytes. What is not its own are pages of files that the system may take back. */
class MemorySamples {
  private readonly idle;
  private peak = 0;
  private peakAnonymous = 0;
  private peakReader = 0;
  private readonly timer;

  constructor(private readonly pid: number) {
    this.idle = memoryMegabytes(pid);
    this.timer = setInterval(() => this.take(), SAMPLE_MILLISECONDS);
  }

  end() {
    clearInterval(this.timer);
    const { total, anonymous } = this.take();
    const { peak, peakAnonymous, peakReader } = this;
    return { peak, peakAnonymous, peakReader, after: total, afterAnonymous: anonymous };
  }

  private take() {
    const now = memoryMegabytes(this.pid);
    const [total, anonymous] = [now.total - this.idle.total, now.anonymous - this.idle.anonymous];
    this.peak = Math.max(this.peak, total);
    this.peakAnonymous = Math.max(this.peakAnonymous, anonymous);
    for (const child of descendants(this.pid))
      this.peakReader = Math.max(
        this.peakReader,
        ifAlive(() => memoryMegabytes(child).total, 0),
      );
    return { total, anonymous };
  }
}

/** One client that asks without end. */
class Searches {
  private readonly times: number[] = [];
  private running = true;
  private readonly ended: Promise<void>;

  constructor(server: BenchServer, questions: readonly string[]) {
    this.ended = (async () => {
      for (let next = 0; this.running; next += 1) {
        const started = performance.now();
        await server.search(questions[next % questions.length]!);
        this.times.push(performance.now() - started);
        await Bun.sleep(SAMPLE_MILLISECONDS);
      }
    })();
  }

  /** Milliseconds of each search. */
  async end(): Promise<readonly number[]> {
    this.running = false;
    await this.ended;
    return this.times;
  }
}

/** As many of the passages, from the first again where they end, as make so many bytes. */
function upTo(bytes: number, passages: readonly string[], write: (passage: string, at: number) => string): string {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < bytes; at += 1) {
    const part = write(passages[at % passages.length]!, at);
    parts.push(part);
    length += Buffer.byteLength(part);
  }
  return parts.join("");
}

function rows(write: (row: number) => string): string {
  return Array.from({ length: ROWS }, (_, row) => write(row + 1)).join("");
}

const words = (passage: string, from: number, to: number): string => passage.split(" ").slice(from, to).join(" ");
const nameOf = (passages: readonly string[], row: number): string => words(passages[row % passages.length]!, 0, 3);
const noteOf = (passages: readonly string[], row: number): string => words(passages[row % passages.length]!, 3, 18);
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A sheet of four columns, texts in the cells themselves. */
function workbook(passages: readonly string[]): Uint8Array<ArrayBuffer> {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const text = (column: string, row: number, value: string) =>
    `<c r="${column}${row}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
  const head = `<row r="1">${["number", "name", "note", "price"].map((name, at) => text("ABCD"[at]!, 1, name)).join("")}</row>`;
  const body = rows((row) => {
    const at = row + 1;
    return `<row r="${at}"><c r="A${at}"><v>${row}</v></c>${text("B", at, nameOf(passages, row))}${text("C", at, noteOf(passages, row))}<c r="D${at}"><v>${row / 100}</v></c></row>`;
  });
  return zipSync({
    "[Content_Types].xml": strToU8(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    ),
    "_rels/.rels": strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    "xl/workbook.xml": strToU8(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Prices" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    "xl/worksheets/sheet1.xml": strToU8(`<worksheet xmlns="${main}"><sheetData>${head}${body}</sheetData></worksheet>`),
  });
}

/** Pages of lines in one of the fonts that every reader has; of other letters than its own a question mark is left. */
function manual(passages: readonly string[]): Uint8Array<ArrayBuffer> {
  const line = new RegExp(`.{1,${CHARACTERS_PER_LINE}}(?: |$)`, "g");
  const lines: string[] = [];
  for (let next = 0; lines.length < PAGES * LINES_PER_PAGE; next += 1)
    lines.push(...(passages[next % passages.length]!.replace(/[^\x20-\x7e]/g, "?").match(line) ?? []));
  const pages = Array.from({ length: PAGES }, (_, page) =>
    lines
      .slice(page * LINES_PER_PAGE, (page + 1) * LINES_PER_PAGE)
      .map((text, at) => ({ x: 50, y: 750 - at * 14, size: 10, text: text.trim() })),
  );
  return new Uint8Array(pdfDocument(pages));
}
