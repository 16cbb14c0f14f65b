/** Extraction in child processes: what a file can do to its child it does to itself alone. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentExtractor } from "../../src/documents/index.ts";
import type {
  DocumentExtractor,
  ExtractionRequest,
  ExtractorOptions,
  ExtractedDocument,
  Passage,
} from "../../src/documents/index.ts";
import { plainSettings } from "../../src/documents/text-recognition.ts";
import type { LecternError } from "../../src/foundation/errors.ts";
import { failureOf, until } from "../harness.ts";

const command = [process.execPath, join(import.meta.dir, "extractor-entry.ts")];
let folder: string;
let extractor: DocumentExtractor | undefined;

/** A document with all of its passages. */
type WholeDocument = ExtractedDocument & { passages: Passage[] };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "extractor-"));
});

afterEach(async () => {
  await extractor?.close();
  extractor = undefined;
  rmSync(folder, { recursive: true });
});

function open(options: Partial<ExtractorOptions> = {}) {
  const opened = openDocumentExtractor({
    command,
    environment: {},
    processes: 1,
    recognition: plainSettings,
    onTrouble() {},
    maxSeconds: 60,
    maxRecognitionHours: 12,
    maxRecognitionMemoryMegabytes: 300,
    maxMemoryMegabytes: 300,
    maxTextCharacters: 1_000_000,
    maxChunks: 10_000,
    maxPauseSeconds: 300,
    idleSeconds: 20,
    maxQueued: 10,
    ...options,
  });
  extractor = opened;
  return {
    async extract(
      request: ExtractionRequest,
      signal?: AbortSignal,
      onProgress?: (fraction: number) => void,
    ): Promise<WholeDocument> {
      const passages: Passage[] = [];
      const document = await opened.extract(request, (next) => void passages.push(...next), signal, onProgress);
      return { ...document, passages };
    },
    close: () => opened.close(),
  };
}

function file(text: string | Uint8Array, originalName = "note.md", customerId = "acme"): ExtractionRequest {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, text);
  return {
    path,
    originalName,
    customerId,
    size: text.length,
    declaredMimeType: null,
    chunking: { chunkSize: 100, chunkOverlap: 10 },
  };
}

/** Children of this process that are extractors. */
function children(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      if (!existsSync(`/proc/${id}/stat`)) return false;
      try {
        const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
        return (
          Number(parent) === process.pid &&
          state !== "Z" &&
          readFileSync(`/proc/${id}/cmdline`, "utf8").includes("extractor-entry")
        );
      } catch {
        return false; // It ended between the two looks.
      }
    });
}

/** Whether a process has ended; whoever is to be told of its end may not have been yet. */
function isGone(processId: string): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${processId}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** Has one of a pool's processes read a file without end. Ends that, when it is called. */
async function holdOneProcess(pool: ReturnType<typeof open>): Promise<() => Promise<void>> {
  const gone = new AbortController();
  const spins = join(folder, "spins");
  const spinning = pool
    .extract(file(`FIRST ${spins} time for ever`, "spin.txt", "hostile"), gone.signal)
    .catch(() => "gone");
  await until(() => existsSync(spins), 20_000);
  return async () => {
    gone.abort(new Error("gone"));
    await spinning;
  };
}

function textsOf({ passages }: WholeDocument): string[] {
  return passages.map(({ text }) => text);
}

describe("a file", () => {
  test("comes back as chunks with its type", async () => {
    const document = await open().extract(file("# Title\n\nSome text."));
    expect(document).toEqual({
      loaderId: "markdown",
      mimeType: "text/markdown",
      extension: "md",
      properties: {},
      subtitles: null,
      passages: [{ text: "Title\n\nSome text.", contextLength: 0, place: { heading: "Title", line: 1, lastLine: 3 } }],
    });
  });

  test("that cannot be read is refused by its name", async () => {
    const refused = open().extract(file("", "empty.txt"));
    await expect(refused).rejects.toMatchObject({ code: "EMPTY_FILE", status: 400, details: { file: "empty.txt" } });
  });

  test("of a million characters crosses the process border whole", async () => {
    const { passages } = await open({ maxTextCharacters: 5_000_000 }).extract({
      ...file("word ".repeat(200_000), "long.txt"),
      chunking: { chunkSize: 300, chunkOverlap: 0 },
    });
    expect(passages.map(({ text }) => text).join(" ")).toBe("word ".repeat(200_000).trim());
  });

  test("that makes too many chunks is refused before they cross the process border", async () => {
    const request = { ...file("some words more ".repeat(2000)), chunking: { chunkSize: 10, chunkOverlap: 9 } };
    await expect(open({ maxChunks: 100 }).extract(request)).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("the limit is 100"),
      details: { file: "note.md" },
    });
  });

  test("that takes too long is refused, and the next one is read", async () => {
    const slow = open({ maxSeconds: 0.5 });
    await expect(slow.extract(file("SPIN"))).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("longer than 0.5 seconds"),
    });
    expect(textsOf(await slow.extract(file("fine")))).toEqual(["fine"]);
  });

  test("that takes too much memory is refused, and the next one is read", async () => {
    const small = open({ maxMemoryMegabytes: 150 });
    await expect(small.extract(file("EAT"))).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("more than 150 MB"),
    });
    expect(textsOf(await small.extract(file("fine")))).toEqual(["fine"]);
  });

  test("for which a program takes too much memory is refused, and the program is gone", async () => {
    const path = join(folder, "eater");
    const small = open({ maxMemoryMegabytes: 250 });
    await expect(small.extract(file(`FEED ${path}`))).rejects.toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("more than 250 MB"),
    });
    await until(() => isGone(readFileSync(path, "utf8")), 5000);
    expect(textsOf(await small.extract(file("fine")))).toEqual(["fine"]);
  });

  test("that is given up takes the program along that was started for it", async () => {
    const path = join(folder, "started");
    const gone = new AbortController();
    const reading = open().extract(file(`START ${path}`), gone.signal);
    await until(() => existsSync(path) && readFileSync(path, "utf8") !== "", 20_000);
    gone.abort(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
    await until(() => isGone(readFileSync(path, "utf8")), 5000);
  });

  test("that crashes its child is refused, and the one waiting behind it is read", async () => {
    const pool = open();
    const [crashed, fine] = await Promise.allSettled([
      pool.extract(file("CRASH", "bad.txt")),
      pool.extract(file("fine")),
    ]);
    expect(crashed).toMatchObject({
      status: "rejected",
      reason: { code: "UNREADABLE_FILE", details: { file: "bad.txt" } },
    });
    expect(fine).toMatchObject({ status: "fulfilled", value: { passages: [{ text: "fine" }] } });
  });
});

describe("the queue", () => {
  test("is bounded", async () => {
    const pool = open({ maxQueued: 2 });
    const accepted = [1, 2, 3].map((number) => pool.extract(file(`WAIT ${number}`)));
    await expect(pool.extract(file("one too many"))).rejects.toMatchObject({
      code: "BUSY",
      status: 503,
      retryAfter: expect.any(Number),
    });
    expect(await Promise.all(accepted)).toHaveLength(3);
  });

  test("is left by a file whose request is cancelled", async () => {
    const pool = open();
    const controller = new AbortController();
    const first = pool.extract(file("WAIT"));
    const second = pool.extract(file("second"), controller.signal);
    controller.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    expect(textsOf(await first)).toEqual(["WAIT"]);
  });

  test("goes on when the file being read is cancelled", async () => {
    const pool = open();
    const controller = new AbortController();
    const spinning = pool.extract(file("SPIN"), controller.signal);
    const next = pool.extract(file("next"));
    setTimeout(() => controller.abort(new Error("gone")), 300);
    await expect(spinning).rejects.toThrow("gone");
    expect(textsOf(await next)).toEqual(["next"]);
  });

  test("is served by several children at once when there may be several", async () => {
    const pool = open({ processes: 2 });
    const meeting = join(folder, "meeting");
    mkdirSync(meeting);
    const documents = await Promise.all([pool.extract(file(`MEET ${meeting}`)), pool.extract(file(`MEET ${meeting}`))]);
    expect(documents.map(({ passages }) => passages.length)).toEqual([1, 1]);
    expect(readdirSync(meeting)).toHaveLength(2);
  });
});

describe("customers", () => {
  /** Settled outcomes by name, in the order in which they came. */
  const inOrder = (files: Record<string, Promise<unknown>>) => {
    const order: string[] = [];
    const settled = Promise.allSettled(
      Object.entries(files).map(([name, done]) => done.catch(() => undefined).then(() => order.push(name))),
    );
    return { order, settled };
  };

  test("who used less is served before who came earlier", async () => {
    const pool = open();
    await pool.extract(file("WAIT WAIT WAIT", "a.txt", "busy"));
    await pool.extract(file("SPIN a second", "a.txt", "busy"), AbortSignal.timeout(1500)).catch(() => undefined);
    const { order, settled } = inOrder({
      running: pool.extract(file("WAIT", "r.txt", "third")),
      busy: pool.extract(file("text", "b.txt", "busy")),
      quiet: pool.extract(file("text", "q.txt", "quiet")),
    });
    await settled;
    expect(order).toEqual(["running", "quiet", "busy"]);
  });

  test("one whose files take for ever holds no other up, however many they are", async () => {
    const pool = open({ processes: 2, maxQueued: 100 });
    const gone = new AbortController();
    const hostile = Array.from({ length: 20 }, () =>
      pool.extract(file("SPIN", "spin.txt", "hostile"), gone.signal).catch((error: Error) => error.message),
    );
    for (let round = 0; round < 3; round++) {
      const documents = await Promise.all(
        ["a", "b", "c"].map((customer) => pool.extract(file(`text of ${customer}`, "fine.txt", customer))),
      );
      expect(documents.map(textsOf)).toEqual([["text of a"], ["text of b"], ["text of c"]]);
    }
    gone.abort(new Error("gone"));
    expect(new Set(await Promise.all(hostile))).toEqual(new Set(["gone"]));
  });

  test("several whose files take for ever hold no other up either", async () => {
    const pool = open({ processes: 2 });
    const gone = new AbortController();
    const hostile = ["one", "two", "three"].map((customer) =>
      pool.extract(file("SPIN", "spin.txt", customer), gone.signal).catch((error: Error) => error.message),
    );
    expect(textsOf(await pool.extract(file("fine", "fine.txt", "quiet")))).toEqual(["fine"]);
    gone.abort(new Error("gone"));
    await Promise.all(hostile);
  });

  test("a file that was put back is read in the end", async () => {
    const pool = open({ processes: 2 });
    const endHolding = await holdOneProcess(pool);
    const begun = join(folder, "begun");
    const long = pool.extract(file(`FIRST ${begun} time for ever`, "long.txt", "patient"));
    await until(() => existsSync(begun), 20_000);
    expect(textsOf(await pool.extract(file("fine", "fine.txt", "quiet")))).toEqual(["fine"]);
    await endHolding();
    expect(textsOf(await long)).toEqual([`FIRST ${begun} time for ever`]);
  });

  test("a file that was put back after some of its passages were taken gives each of them once", async () => {
    const pool = open({ processes: 2, maxChunks: 100_000 });
    const endHolding = await holdOneProcess(pool);
    const begun = join(folder, "begun");
    const chunking = { chunkSize: 100, chunkOverlap: 0 };
    const words = Array.from({ length: 60_000 }, (_, number) => `word${number}`);
    const text = words.toSpliced(59_000, 0, `FIRST ${begun} time for ever`).join(" ");
    const taken: Passage[] = [];
    const long = extractor!.extract(
      { ...file(text, "long.txt", "patient"), chunking },
      (next) => void taken.push(...next),
    );
    await until(() => existsSync(begun), 20_000);
    expect(taken.length).toBeGreaterThan(0);
    expect(textsOf(await pool.extract(file("fine", "fine.txt", "quiet")))).toEqual(["fine"]);
    await endHolding();
    await long;
    const numbers = taken.flatMap((passage) =>
      [...passage.text.matchAll(/\bword(\d+)\b/g)].map(([, number]) => +number!),
    );
    expect(numbers).toEqual([...words.keys()]);
  });

  test("whose files run into the limits again and again have to pause; others do not", async () => {
    const pool = open({ maxSeconds: 0.2, processes: 2 });
    for (let hits = 0; hits < 3; hits++) {
      expect(await failureOf(pool.extract(file("SPIN", "spin.txt", "hostile")))).toMatchObject({
        code: "UNREADABLE_FILE",
      });
    }
    expect(await failureOf(pool.extract(file("fine", "fine.txt", "hostile")))).toMatchObject({
      code: "UPLOADS_PAUSED",
      status: 429,
      retryAfter: 30,
    });
    expect(textsOf(await pool.extract(file("fine", "fine.txt", "quiet")))).toEqual(["fine"]);
  });

  test("a pause refuses what the customer has waiting", async () => {
    const pool = open({ maxSeconds: 0.2, maxQueued: 100 });
    const refused = await Promise.all([1, 2, 3, 4, 5].map(async () => failureOf(pool.extract(file("SPIN")))));
    expect(refused.map((error) => (error as LecternError).code)).toEqual([
      "UNREADABLE_FILE",
      "UNREADABLE_FILE",
      "UNREADABLE_FILE",
      "UPLOADS_PAUSED",
      "UPLOADS_PAUSED",
    ]);
  });

  test("never pause where that is switched off", async () => {
    const pool = open({ maxSeconds: 0.2, maxPauseSeconds: 0 });
    for (let hits = 0; hits < 4; hits++)
      expect(await failureOf(pool.extract(file("SPIN")))).toMatchObject({ code: "UNREADABLE_FILE" });
    expect(textsOf(await pool.extract(file("fine")))).toEqual(["fine"]);
  });
});

describe("a scan or recording", () => {
  let meeting: string;
  beforeEach(() => {
    meeting = join(folder, "recognising");
    mkdirSync(meeting);
  });
  const begun = (): number => readdirSync(meeting).filter((name) => name.startsWith("begun")).length;
  const end = (): void => writeFileSync(join(meeting, "end"), "");
  const recording = (customerId: string) => file(`RECOGNISE ${meeting}`, "talk.txt", customerId);

  test("tells how far it is, and is given time for as long as it gets further", async () => {
    const heard: number[] = [];
    const done = open({ maxSeconds: 1 }).extract(recording("acme"), undefined, (fraction) => {
      heard.push(fraction);
      if (fraction > 0.25) end();
    });
    expect(textsOf(await done)).toEqual([`RECOGNISE ${meeting}`]);
    expect(heard.length).toBeGreaterThan(2);
    expect(heard).toEqual(heard.toSorted((left, right) => left - right));
    expect(heard.at(-1)).toBeLessThanOrEqual(1);
  });

  test("that gets no further is refused, and the next one is read", async () => {
    const pool = open({ maxSeconds: 0.5 });
    expect(await failureOf(pool.extract(file("STALL")))).toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringContaining("no more of it has been recognised for 0.5 seconds"),
    });
    expect(textsOf(await pool.extract(file("fine")))).toEqual(["fine"]);
  });

  test("that takes too long in all is refused, however far it gets", async () => {
    const pool = open({ maxRecognitionHours: 1 / 3600 });
    expect(await failureOf(pool.extract(recording("acme")))).toMatchObject({
      code: "UNREADABLE_FILE",
      message: expect.stringMatching(/recognising it takes longer than .* hours/),
    });
  });

  test.each([1, 2, 3])("holds no other up where there are %d processes, and is not begun again", async (processes) => {
    const pool = open({ processes, maxQueued: 100 });
    const heard = Promise.withResolvers<number>();
    const talk = pool.extract(recording("slow"), undefined, heard.resolve);
    await heard.promise;
    const gone = new AbortController();
    const spinning = pool.extract(file("SPIN", "spin.txt", "hostile"), gone.signal).catch(() => "gone");
    if (processes === 1) gone.abort(new Error("gone"));
    for (const customer of ["a", "b", "slow"])
      expect(textsOf(await pool.extract(file(`text of ${customer}`, "fine.txt", customer)))).toEqual([
        `text of ${customer}`,
      ]);
    gone.abort(new Error("gone"));
    end();
    expect(await Promise.all([talk.then(textsOf), spinning])).toEqual([[`RECOGNISE ${meeting}`], "gone"]);
    expect(begun()).toBe(1);
  });

  test("one too many waits for its turn, and is read in the end", async () => {
    const pool = open({ processes: 2 });
    const first = pool.extract(recording("one"));
    await until(() => begun() === 1, 20_000);
    const second = pool.extract(recording("two"));
    await until(() => begun() === 2, 20_000);
    expect(textsOf(await pool.extract(file("fine", "fine.txt", "quiet")))).toEqual(["fine"]);
    expect(children().length).toBeLessThanOrEqual(3);
    end();
    expect((await Promise.all([first, second])).map(textsOf)).toEqual(Array(2).fill([`RECOGNISE ${meeting}`]));
    expect(begun()).toBe(3);
  });
});

describe("children", () => {
  test("start with the first file and end when idle", async () => {
    const pool = open({ idleSeconds: 0.3 });
    expect(children()).toHaveLength(0);
    await pool.extract(file("text"));
    expect(children()).toHaveLength(1);
    await until(() => children().length === 0, 10_000);
    expect(textsOf(await pool.extract(file("again")))).toEqual(["again"]);
  });

  test("end with close, which refuses what is unfinished", async () => {
    const pool = open();
    const unfinished = [pool.extract(file("SPIN")), pool.extract(file("waiting"))];
    const settled = Promise.allSettled(unfinished);
    await Bun.sleep(300);
    await pool.close();
    for (const result of await settled)
      expect(result).toMatchObject({ status: "rejected", reason: { code: "SHUTTING_DOWN" } });
    expect(children()).toHaveLength(0);
    await expect(pool.extract(file("late"))).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
  });

  test("that do not start are the server's fault, not the file's", async () => {
    const pool = open({ command: [process.execPath, "-e", "process.exit(3)"] });
    await expect(pool.extract(file("text"))).rejects.toMatchObject({ code: "INTERNAL", status: 500 });
  });

  test("die with a parent that is killed, even in an endless loop", async () => {
    const { path } = file("SPIN");
    const parent = join(folder, "parent.ts");
    writeFileSync(
      parent,
      `import { openDocumentExtractor } from ${JSON.stringify(join(import.meta.dir, "../../src/documents/index.ts"))};
       const options = { environment: {}, recognition: ${JSON.stringify(plainSettings)}, processes: 1, maxSeconds: 60, maxRecognitionHours: 12, maxRecognitionMemoryMegabytes: 300, maxMemoryMegabytes: 300, maxTextCharacters: 1000, maxChunks: 1000, maxPauseSeconds: 0, idleSeconds: 60, maxQueued: 1 };
       const extractor = openDocumentExtractor({ ...options, onTrouble() {}, command: ${JSON.stringify(command)} });
       void extractor.extract({ path: ${JSON.stringify(path)}, originalName: "a.txt", customerId: "acme", size: 4, declaredMimeType: null, chunking: { chunkSize: 9, chunkOverlap: 0 } }, () => {});
       setTimeout(() => console.log("spinning"), 700);`,
    );
    const server = Bun.spawn([process.execPath, parent], { stdout: "pipe" });
    await server.stdout.getReader().read();
    const [child] = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8")
      .trim()
      .split(" ")
      .map(Number);
    expect(child).toBeGreaterThan(0);
    server.kill("SIGKILL");
    await server.exited;
    await until(
      () => !existsSync(`/proc/${child}/cmdline`) || readFileSync(`/proc/${child}/cmdline`, "utf8") === "",
      10_000,
    );
  });
});
