/** A child for the tests: the real role with a tokenizer that misbehaves when the text tells it to. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runExtractorRole } from "../../src/documents/index.ts";
import { pieceCounter } from "./counters.ts";

const eaten: Uint8Array[] = [];

/** Comes back once another child is here too. */
async function meet(folder: string): Promise<void> {
  writeFileSync(join(folder, String(process.pid)), "");
  while (readdirSync(folder).length < 2) await Bun.sleep(5);
}

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
    const meeting = /MEET (\S+)/.exec(text)?.[1];
    if (meeting !== undefined) await meet(meeting);
    return pieceCounter.offsets(text);
  },
});
