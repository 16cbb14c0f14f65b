/** Whether the program that is to read scans can be used. */
import { OcrProgram, OcrProgramFault } from "../../documents/index.ts";
import { ocrProgramOf, type Config } from "../../options/config.ts";
import { good, warning, type Finding } from "./finding.ts";

const SUBJECT = "OCR program";

/** None where none is set. */
export async function checkOcrProgram(config: Config): Promise<Finding[]> {
  const settings = ocrProgramOf(config);
  if (settings === null) return [];
  try {
    const { path, version, languages } = await OcrProgram.open(settings);
    return [good(SUBJECT, `${path} (version ${version}) reads scans in ${languages.join(", ")}.`)];
  } catch (error) {
    if (!(error instanceof OcrProgramFault)) throw error;
    return [
      warning(
        SUBJECT,
        `${settings.program} cannot be used: ${error.message}. Scans are read by the built-in recognition.`,
        "Install Tesseract 4 or newer with its languages (Debian's packages tesseract-ocr, tesseract-ocr-deu and their like), or go without: --ocr-program off",
      ),
    ];
  }
}
