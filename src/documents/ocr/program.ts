/**
 * A `tesseract` of the machine's own, which reads several times as fast as the one built in. It is given pictures that were decoded here, through a
 * pipe: it opens no file of anybody's, writes none, and ends with its time, also when nobody is left who waits for it.
 */
import { limitProcess } from "../../native/limit-process.ts";
import type { OcrProgramSettings } from "../text-recognition.ts";
import { DETECTION } from "./language-data.ts";
import { type PageMode, pageModes } from "./tesseract.ts";

/** Why the program cannot be used, or a page was not read: the end of a sentence. */
export class OcrProgramFault extends Error {}

const OLDEST_VERSION = 4;
/** For what it says of itself. */
const ASKING_SECONDS = 10;
/** Of what it prints at most, for a page of which every letter is a word. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_COMPLAINT = 300;
/** A language's name, in lists that hold headings and models of whole scripts as well. */
const LANGUAGE = /^[A-Za-z]\w*$/;
/** What it lists beside languages. */
const NO_LANGUAGES: ReadonlySet<string> = new Set([DETECTION, "equ", "snum"]);
const HEAD = "level\tpage_num\t";
/** Levels, numbers and boxes, the confidence, and the text. */
const ROW = /^\d+(?:\t\d+){5}(?:\t-?\d+){4}\t-?\d+(?:\.\d+)?\t/;
/** What it may know of this process's environment: where its parts lie. Several threads would take what other readers have. */
const NAMES = ["PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX"];

export class OcrProgram {
  private constructor(
    readonly path: string,
    readonly version: string,
    /** Tesseract's names of those that it has data of. */
    readonly languages: readonly string[],
    private readonly seconds: number,
  ) {}

  /** Asks it what it is. Throws OcrProgramFault. */
  static async open({ program, seconds }: OcrProgramSettings): Promise<OcrProgram> {
    const path = Bun.which(program);
    if (path === null) throw new OcrProgramFault("there is no such program, or it may not be run");
    const asking = Math.min(seconds, ASKING_SECONDS);
    const said = await printed(path, ["--version"], null, asking);
    const [, version = "", major = ""] = /^tesseract v?((\d+)[\w.-]*)/m.exec(said) ?? [];
    if (version === "") throw new OcrProgramFault("it is no Tesseract, as what it says of its version shows");
    if (Number(major) < OLDEST_VERSION)
      throw new OcrProgramFault(`its version is ${version}, and ${OLDEST_VERSION} is the oldest that is used`);
    const listed = (await printed(path, ["--list-langs"], null, asking)).split("\n").map((line) => line.trim());
    const languages = listed.filter((name) => LANGUAGE.test(name) && !NO_LANGUAGES.has(name));
    if (languages.length === 0) throw new OcrProgramFault("it has no data of any language");
    return new OcrProgram(path, version, [...new Set(languages)], seconds);
  }

  /** The rows of words in a picture that lies upright. Throws OcrProgramFault. */
  async read(picture: Uint8Array, languages: readonly string[], mode: PageMode): Promise<string> {
    const how = ["-l", languages.join("+"), "--psm", String(pageModes[mode]), "-c", "tessedit_create_tsv=1"];
    const rows = await printed(this.path, ["stdin", "stdout", ...how], picture, this.seconds);
    if (!isTable(rows)) throw new OcrProgramFault("what it prints is no table of words");
    return rows;
  }
}

function isTable(rows: string): boolean {
  const [head = "", ...others] = rows.trimEnd().split("\n");
  return head.startsWith(HEAD) && others.every((row) => ROW.test(row));
}

/** What it prints within its time. Throws OcrProgramFault where it fails. */
async function printed(
  path: string,
  given: readonly string[],
  input: Uint8Array | null,
  seconds: number,
): Promise<string> {
  const known = NAMES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const child = started([path, ...given], { ...Object.fromEntries(known), OMP_THREAD_LIMIT: "1" }, input);
  limitProcess(child.pid, { processorSeconds: seconds, fileBytes: 0 });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new OcrProgramFault(`it took longer than ${seconds} s`)), seconds * 1000);
  try {
    // What it started itself may hold its pipes for longer than it lives.
    const done = Promise.all([textOf(child.stdout), textOf(child.stderr), child.exited]);
    const [text, complaint, exitCode] = await Promise.race([done, late.promise]);
    if (exitCode === 0) return text;
    const end = child.signalCode === null ? `exit code ${exitCode}` : `signal ${child.signalCode}`;
    throw new OcrProgramFault(`it ended with ${end}${complaint === "" ? "" : `: ${inOneLine(complaint)}`}`);
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

function started(
  command: string[],
  environment: Record<string, string>,
  input: Uint8Array | null,
): Bun.Subprocess<"ignore" | Uint8Array, "pipe", "pipe"> {
  try {
    const [stdin, cwd] = [input ?? ("ignore" as const), "/"];
    return Bun.spawn({ cmd: command, cwd, env: environment, stdin, stdout: "pipe", stderr: "pipe" });
  } catch (error) {
    throw new OcrProgramFault(`it cannot be started: ${(error as Error).message}`);
  }
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MOST_BYTES) throw new OcrProgramFault("it prints more than any page holds");
  }
  return text + decoder.decode();
}

const inOneLine = (complaint: string): string => complaint.trim().replace(/\s+/g, " ").slice(0, MOST_COMPLAINT);
