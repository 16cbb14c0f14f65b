/** A child for the tests: the real role with a tokenizer that misbehaves when the text tells it to. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runExtractorRole } from "../../src/documents/index.ts";
import { Content } from "../../src/documents/content.ts";
import { plainRecognition } from "../../src/documents/text-recognition.ts";
import { pieceCounter } from "./counters.ts";

const eaten: Uint8Array[] = [];

/** Comes back once another child is here too. */
async function meet(folder: string): Promise<void> {
  writeFileSync(join(folder, String(process.pid)), "");
  while (readdirSync(folder).length < 2) await Bun.sleep(5);
}

let recognition = plainRecognition;
const contentOf = Content.of;
Content.of = (...given: Parameters<typeof contentOf>) => {
  recognition = given[4] ?? plainRecognition;
  return contentOf.apply(Content, given);
};

/** Works for so long without coming back to the event loop, as a recogniser does. */
function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

/** Recognises a hundredth after the other, each in 100 ms, until it is allowed to end. It says in the folder that it has begun. */
async function recognise(folder: string): Promise<void> {
  writeFileSync(join(folder, `begun-${crypto.randomUUID()}`), "");
  for (let percent = 1; percent <= 100 && !existsSync(join(folder, "end")); percent++) {
    work(100);
    recognition.progress(percent / 100);
    await Bun.sleep(0);
  }
}

/** Starts a program that lives for ever, says in the file which it is, and waits for it. */
async function start(path: string, ...command: string[]): Promise<void> {
  const program = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  writeFileSync(path, String(program.pid));
  await program.exited;
}

const EATER = "const eaten = []; for (;;) { eaten.push(new Uint8Array(8 * 1024 * 1024).fill(1)); Bun.sleepSync(5); }";

await runExtractorRole({
  async offsets(text) {
    if (text.includes("SPIN")) for (;;);
    if (text.includes("EAT")) for (;;) eaten.push(new Uint8Array(8 * 1024 * 1024).fill(1));
    if (text.includes("CRASH")) process.kill(process.pid, "SIGSEGV");
    if (text.includes("WAIT")) await Bun.sleep(400);
    const first = /FIRST (\S+)/.exec(text)?.[1];
    if (first !== undefined && !existsSync(first)) {
      writeFileSync(first, "");
      for (;;);
    }
    const recognising = /RECOGNISE (\S+)/.exec(text)?.[1];
    if (recognising !== undefined) await recognise(recognising);
    if (text.includes("STALL")) {
      recognition.progress(0.5);
      for (;;);
    }
    const started = /START (\S+)/.exec(text)?.[1];
    if (started !== undefined) await start(started, "sleep", "1000");
    const eating = /FEED (\S+)/.exec(text)?.[1];
    if (eating !== undefined) await start(eating, process.execPath, "-e", EATER);
    const meeting = /MEET (\S+)/.exec(text)?.[1];
    if (meeting !== undefined) await meet(meeting);
    return pieceCounter.offsets(text);
  },
});
