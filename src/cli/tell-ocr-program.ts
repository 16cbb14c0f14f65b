/** Says in the log of a server that starts whether the program that is to read scans can be used. */
import type { Log } from "../foundation/log.ts";
import { ocrProgramOf, type Config } from "../options/config.ts";

export async function tellOcrProgram(config: Config, log: Log): Promise<void> {
  const settings = ocrProgramOf(config);
  if (settings === null) return;
  const { OcrProgram, OcrProgramFault } = await import("../documents/index.ts");
  try {
    const { path, version, languages } = await OcrProgram.open(settings);
    log.info("Scans are read by a program of the machine's", { program: path, version, languages: languages.join() });
  } catch (error) {
    if (!(error instanceof OcrProgramFault)) throw error;
    log.warn(
      `--ocr-program ${settings.program} cannot be used: ${error.message}. Scans are read by the built-in recognition`,
    );
  }
}
