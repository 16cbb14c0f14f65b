/** What whoever runs the server is told of the program that is to read scans. */
import { expect, test } from "bun:test";
import { checkOcrProgram } from "../../src/cli/doctor/ocr-program.ts";
import { tellOcrProgram } from "../../src/cli/tell-ocr-program.ts";
import { createLog } from "../../src/foundation/log.ts";
import { loadConfig } from "../../src/options/config.ts";
import { program, testWith } from "../requirements.ts";

const configured = (ocrProgram: string) => loadConfig({ flags: { "ocr-program": ocrProgram }, environment: {} });

async function toldAtStart(ocrProgram: string): Promise<string> {
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "text", write: (line) => void lines.push(line) });
  await tellOcrProgram(configured(ocrProgram), log);
  return lines.join("");
}

test("nothing is told where none is set", async () => {
  expect(await checkOcrProgram(configured("off"))).toEqual([]);
  expect(await toldAtStart("off")).toBe("");
});

test("one that cannot be used is told of at the start, and by doctor, which says what to do", async () => {
  const reason = "/bin/true cannot be used: it is no Tesseract";
  expect(await toldAtStart("/bin/true")).toContain(`warn  --ocr-program ${reason}`);
  const [finding] = await checkOcrProgram(configured("/bin/true"));
  expect(finding).toMatchObject({ state: "warning", sentence: expect.stringContaining(reason) });
  expect(finding?.mend).toContain("--ocr-program off");
});

testWith(program("tesseract"))("one that can be used says in which languages", async () => {
  expect(await toldAtStart("tesseract")).toMatch(/info {2}Scans are read by .* version=\S+ languages=\S*eng/);
  const [finding] = await checkOcrProgram(configured("tesseract"));
  expect(finding).toMatchObject({ state: "good", sentence: expect.stringMatching(/reads scans in .*eng/) });
});
