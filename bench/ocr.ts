/**
 * How well and how quickly scans are read: pages of real text, drawn by pango-view at 200 points to an inch. Words found again, by language, in
 * this process; then pages a minute and memory of a server with two reading processes. Both once more by a `tesseract` of the machine's own, where
 * it has one, in the languages that that has.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OcrProgram, OcrProgramFault } from "../src/documents/index.ts";
import { readBlocks } from "../src/documents/read-document.ts";
import { type OcrProgramSettings, plainRecognition, type TextRecognition } from "../src/documents/text-recognition.ts";
import { LecternError } from "../src/foundation/errors.ts";
import { root } from "../scripts/steps.ts";
import { executable } from "./server-process.ts";
import { uploadForm } from "./client.ts";
import { canDraw, drawPages, type Page, scannedDocument, shareFound } from "./ocr/pages.ts";
import type { BenchOptions } from "./options.ts";
import { descendants, ifAlive, memoryMegabytes } from "./process-figures.ts";
import { BenchServer, LIFTED, timed } from "./server.ts";
import { report } from "./statistics.ts";

/** Documents beside the program in which the languages are written, by Tesseract's names of these. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  eng: ["apiculture.html", "bicycle-maintenance.md"],
  deu: ["urlaubsregelung.docx"],
  fra: ["piscine-tarifs.xlsx"],
  spa: ["visita-al-faro.pptx", "cambio-de-turno.eml"],
  rus: ["pravila-gavani.txt"],
  ell: [],
  jpn: ["gomi-no-dashikata.txt"],
  chi_sim: ["chaye-baocun.html"],
  ara: ["qawaid-al-maktaba.md"],
  hin: ["varsha-jal.md"],
  tha: ["pluk-mamuang.md"],
};
/** What share of the words is to be found again, by language. */
const GOALS: Readonly<Record<string, number>> = {
  rus: 0.97,
  ukr: 0.97,
  bul: 0.97,
  ell: 0.97,
  jpn: 0.95,
  chi_sim: 0.95,
  ara: 0.9,
  hin: 0.9,
  tha: 0.9,
};
const LATIN_GOAL = 0.98;
const PAGES_OF_A_LANGUAGE = 3;
const PAGES_UPLOADED = 6;
const PROCESSES = 2;
const SAMPLE_MILLISECONDS = 100;
const CALM_MILLISECONDS = 5000;
const UPLOAD_MILLISECONDS = 600_000;
const PROGRAM = "tesseract";
/** For a page that the program reads. */
const PROGRAM_SECONDS = 60;

export async function benchOcr(options: BenchOptions): Promise<void> {
  if (Bun.which("pango-view") === null) {
    console.log("Left out: pages are drawn by pango-view, which is not here (Debian's package pango1.0-tools).");
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "lectern-ocr-"));
  try {
    const modelsDirectory = options.models[0] ?? null;
    const texts = await textsByLanguage(options.text);
    for (const code of [...texts.keys()].filter((code) => !canDraw(code))) {
      console.log(`Left out: ${code}, of whose letters no font is here.`);
      texts.delete(code);
    }
    const settings = { ...plainRecognition, modelsDirectory };
    for (const [code, text] of texts) await measureRecall(code, drawn(folder, code, text), settings);
    const program = { program: PROGRAM, seconds: PROGRAM_SECONDS };
    const languages = await languagesOf(program);
    for (const [code, text] of texts)
      if (languages.includes(code))
        await measureRecall(code, drawn(folder, code, text), { ...settings, ocrProgram: program }, ` by ${PROGRAM}`);
    const english = drawn(folder, "eng", texts.get("eng") ?? "");
    if (!existsSync(executable)) console.log(`Left out: pages a minute, since ${executable} is missing.`);
    else if (english.length === 0) console.log("Left out: pages a minute, since no text is in English.");
    else {
      const pages = Array.from({ length: PAGES_UPLOADED }, (_, at) => english[at % english.length]!);
      await measureServer(pages, "");
      if (languages.includes("eng")) await measureServer(pages, ` by ${PROGRAM}`, { LECTERN_OCR_PROGRAM: PROGRAM });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** None, having said why, where the program cannot be used. */
async function languagesOf(program: OcrProgramSettings): Promise<readonly string[]> {
  try {
    return (await OcrProgram.open(program)).languages;
  } catch (error) {
    if (!(error instanceof OcrProgramFault)) throw error;
    console.log(`Left out: pages read by ${program.program}: ${error.message}.`);
    return [];
  }
}

/** Those of a file with a language, a tab and a paragraph in each line, else those of the samples. */
async function textsByLanguage(file: string | null): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (file !== null) {
    for (const line of (await Bun.file(file).text()).split("\n")) {
      const [code = "", paragraph = ""] = line.split("\t");
      if (paragraph !== "") texts.set(code, `${texts.get(code) ?? ""}${paragraph}\n\n`);
    }
    return texts;
  }
  for (const [code, names] of Object.entries(SAMPLES)) {
    const read = names.map(async (name) => readBlocks(await Bun.file(join(root, "samples", name)).bytes(), name, null));
    const blocks = (await Promise.all(read)).flatMap((document) => document.blocks);
    if (blocks.length > 0) texts.set(code, blocks.map(({ text }) => text).join("\n\n"));
  }
  return texts;
}

function drawn(folder: string, code: string, text: string): readonly Page[] {
  return drawPages(folder, code, text).slice(0, PAGES_OF_A_LANGUAGE);
}

async function measureRecall(code: string, pages: readonly Page[], settings: TextRecognition, by = ""): Promise<void> {
  const before = process.cpuUsage();
  let found = 0;
  try {
    for (const { png, text } of pages) {
      const { blocks } = await readBlocks(png, "page.png", null, {}, settings);
      found += shareFound(text, blocks.map((block) => block.text).join("\n"), code);
    }
  } catch (error) {
    if (!(error instanceof LecternError) || error.code !== "NO_OCR_LANGUAGE") throw error;
    console.log(`Left out: ${code}, whose data is not here; --model FOLDER says where models were added.`);
    return;
  }
  const { user, system } = process.cpuUsage(before);
  const goal = { atLeast: GOALS[code] ?? LATIN_GOAL };
  report({
    name: `${code}, ${pages.length} pages${by}: words found again`,
    value: found / pages.length,
    unit: "",
    goal,
  });
  // What the program takes is not counted.
  if (by !== "") return;
  report({ name: "  of a processor, a page", value: (user + system) / 1e6 / pages.length, unit: "s" });
}

/** The same pages as files of one page, several at a time, and as one PDF. */
async function measureServer(
  pages: readonly Page[],
  by: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const environment = { ...LIFTED, LECTERN_EXTRACT_PROCESSES: String(PROCESSES), ...more };
  const server = await new BenchServer(undefined, environment).start();
  try {
    await server.upload("before.txt", pages[0]!.text);
    await Bun.sleep(CALM_MILLISECONDS);
    const memory = new Memory(server.pid);
    const started = performance.now();
    await timed(pages, PROCESSES, ({ png }, at) => upload(server, `page-${at}.png`, png));
    perMinute(`files of one page${by}`, pages.length, started);
    const again = performance.now();
    await upload(server, "pages.pdf", scannedDocument(pages));
    perMinute(`a PDF${by}`, pages.length, again);
    const { whole, largest } = memory.end();
    report({ name: "memory above idle, all processes", value: whole, unit: "MB", goal: { atMost: 250 * PROCESSES } });
    report({ name: "  the largest reading process", value: largest, unit: "MB" });
  } finally {
    await server.stop();
    server.remove();
  }
}

async function upload(server: BenchServer, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const form = uploadForm({ datasetId: "scans" }, { [name]: bytes });
  const { status, body } = await server.call("POST", "/v1/files/upload", form, { limit: UPLOAD_MILLISECONDS });
  if (status !== 200) throw new Error(`the upload of ${name} answered ${status}: ${JSON.stringify(body)}`);
}

function perMinute(name: string, pages: number, started: number): void {
  const value = (pages / (performance.now() - started)) * 60_000;
  report({ name: `${pages} pages, ${name}, ${PROCESSES} processes: a minute`, value, unit: "", goal: { atLeast: 12 } });
}

/** Resident memory of a server and the processes that read for it, megabytes at the peak. */
class Memory {
  private readonly idle;
  private whole = 0;
  private largest = 0;
  private readonly timer;

  constructor(private readonly pid: number) {
    this.idle = memoryMegabytes(pid).total;
    this.timer = setInterval(() => this.take(), SAMPLE_MILLISECONDS);
  }

  end() {
    clearInterval(this.timer);
    return { whole: this.whole - this.idle, largest: this.largest };
  }

  private take(): void {
    const readers = descendants(this.pid).map((child) => ifAlive(() => memoryMegabytes(child).total, 0));
    this.largest = Math.max(this.largest, ...readers);
    const whole = memoryMegabytes(this.pid).total + readers.reduce((sum, reader) => sum + reader, 0);
    this.whole = Math.max(this.whole, whole);
  }
}
