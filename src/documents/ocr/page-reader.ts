/**
 * One way of reading a page: by the program of the machine's own where one is chosen and has the languages, else by what is built in, which also
 * decodes pictures, sets them straight and takes the program's place when that fails.
 */
import type { OcrProgramSettings } from "../text-recognition.ts";
import { slopeOfLines } from "./line-slope.ts";
import { textOf } from "./paragraphs.ts";
import { OcrProgram, OcrProgramFault } from "./program.ts";
import type { Detection, PageMode, Recognised, Tesseract } from "./tesseract.ts";

/** Files on which a program may fail one after the other until it is not used any more. */
const MOST_FAILURES = 3;
/** Of 100: a page that is read less surely may be so because its lines slope. */
const SURE = 90;
/** Lines that slope so much are cut in pieces, however surely these are read. */
const MUCH = 0.02;

/** The program that this process uses, and how it has done. */
interface UsedProgram {
  readonly settings: OcrProgramSettings;
  readonly program: OcrProgram | null;
  failures: number;
}

let used: UsedProgram | undefined;

/** Null where there is none to be used; why it cannot be is told `trouble`, once. */
export async function programToUse(
  settings: OcrProgramSettings | null,
  trouble: (sentence: string) => void,
): Promise<OcrProgram | null> {
  if (settings === null) return null;
  if (used?.settings.program !== settings.program || used.settings.seconds !== settings.seconds) {
    const program = await OcrProgram.open(settings).catch((error: unknown) => {
      if (!(error instanceof OcrProgramFault)) throw error;
      trouble(`Scans are read by the built-in recognition, since ${settings.program} cannot be used: ${error.message}`);
      return null;
    });
    used = { settings, program, failures: 0 };
  }
  return used.failures < MOST_FAILURES ? used.program : null;
}

/** The picture as the program is given it. */
interface PreparedPicture {
  /** As which EXIF number it was set upright. */
  readonly exif: number;
  png: Uint8Array;
  /** Whether it was set straight, or need not be. */
  isStraight: boolean;
}

export class PageReader {
  private prepared: PreparedPicture | null = null;
  /** As which EXIF number the built-in one has the picture before it. */
  private shown: number | null = null;
  private hasFailed = false;

  /** Of one file. `trouble` is told when the program fails. */
  constructor(
    private readonly builtIn: Tesseract,
    private readonly program: OcrProgram | null,
    /** Languages that the built-in one can read. */
    private readonly own: { has(code: string): boolean },
    private readonly trouble: (sentence: string) => void,
  ) {}

  /** Takes the picture that is read from now on, which must stay as it is until it is let go of. */
  take(picture: Uint8Array): void {
    this.prepared = null;
    this.shown = null;
    this.builtIn.take(picture);
  }

  /** Orientation and script of the picture; null where there is too little to tell. */
  detect(exif: number): Promise<Detection | null> {
    this.shown = null;
    return this.builtIn.detect(exif);
  }

  /** Throws what cannot be decoded, and OcrProgramFault where the program fails that alone has one of the languages. */
  async read(languages: readonly string[], exif: number, mode: PageMode): Promise<Recognised> {
    const { program } = this;
    if (program === null || this.hasFailed || !languages.every((code) => program.languages.includes(code)))
      return this.readBuiltIn(languages, exif, mode);
    const picture = await this.preparedFor(exif);
    try {
      const rows = await this.readBy(program, picture, languages, mode);
      if (used !== undefined) used.failures = 0;
      // Which of them each word is in, it does not tell.
      return { rows, languages: new Map() };
    } catch (error) {
      if (!(error instanceof OcrProgramFault)) throw error;
      this.failed(error, program);
      if (languages.every((code) => this.own.has(code))) return this.readBuiltIn(languages, exif, mode);
      throw error;
    }
  }

  /** Lets go of the picture. */
  clear(): void {
    this.prepared = null;
    this.builtIn.clear();
  }

  /** Lets go of the picture and of what was loaded: what a broken picture leaves behind is unknown. */
  abandon(): void {
    this.prepared = null;
    this.builtIn.abandon();
  }

  private async readBuiltIn(languages: readonly string[], exif: number, mode: PageMode): Promise<Recognised> {
    const areNew = await this.builtIn.useLanguages(languages);
    if (areNew || this.shown !== exif) this.builtIn.show(exif);
    this.shown = exif;
    return this.builtIn.recognise(mode);
  }

  /** A picture is set straight where that may matter, and not before: it takes a fifth of the time of reading it. */
  private async readBy(
    program: OcrProgram,
    picture: PreparedPicture,
    languages: readonly string[],
    mode: PageMode,
  ): Promise<string> {
    const rows = await program.read(picture.png, languages, mode);
    if (picture.isStraight) return rows;
    if (textOf(rows).confidence >= SURE && Math.abs(slopeOfLines(rows)) < MUCH) return rows;
    picture.isStraight = true;
    const straight = await this.builtIn.straightened(picture.exif);
    if (straight === null) return rows;
    picture.png = straight;
    return program.read(straight, languages, mode);
  }

  private async preparedFor(exif: number): Promise<PreparedPicture> {
    this.shown = null;
    if (this.prepared?.exif !== exif)
      this.prepared = { exif, png: await this.builtIn.upright(exif), isStraight: false };
    return this.prepared;
  }

  /** What is wrong may be wrong with this file alone, which is read without the program from now on. */
  private failed({ message }: OcrProgramFault, { path }: OcrProgram): void {
    this.hasFailed = true;
    if (used !== undefined) used.failures += 1;
    this.trouble(`A scan is read by the built-in recognition, since ${path} failed: ${message}`);
  }
}
