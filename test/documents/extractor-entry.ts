/** A child for the tests: the real role with a tokenizer that misbehaves when the text tells it to. */
import { runExtractorRole } from "../../src/documents/index.ts";
import { pieceCounter } from "./counters.ts";

const eaten: Uint8Array[] = [];

await runExtractorRole({
  async offsets(text) {
    if (text.includes("SPIN")) for (;;);
    if (text.includes("EAT")) for (;;) eaten.push(new Uint8Array(8 * 1024 * 1024).fill(1));
    if (text.includes("CRASH")) process.kill(process.pid, "SIGSEGV");
    if (text.includes("WAIT")) await Bun.sleep(400);
    return pieceCounter.offsets(text);
  },
});
