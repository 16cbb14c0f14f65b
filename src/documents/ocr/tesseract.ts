/** Tesseract as a WebAssembly module in this process: one for all pictures, loaded with the first. */
import wasmPath from "tesseract.js-core/tesseract-core-simd.wasm" with { type: "file" };
import type { Core, Engine } from "./core.ts";

/** How a page is searched for text. */
export const pageModes = { columns: 3, oneColumn: 4, oneBlock: 6, scattered: 11 } as const;
export type PageMode = keyof typeof pageModes;

/** How EXIF numbers the quarter turns to the right that set a picture upright. */
const EXIF_OF_TURNS = [1, 6, 3, 8] as const;

/** The picture to be read, as the module's own file system has it. */
const PICTURE = "/input";
const TRAINED = 1;
const LEGACY = 0;
const WORDS = 3;

export interface Detection {
  /** Quarter turns to the right that set the picture upright. */
  readonly turns: number;
  readonly script: string;
  /** How sure both are; what is far below 1 is a guess. */
  readonly turnsCertainty: number;
  readonly scriptCertainty: number;
}

export interface Recognised {
  /** Rows of levels, numbers, boxes, confidence and text, tab-separated. */
  readonly rows: string;
  /** How many words were read by which language. */
  readonly languages: ReadonlyMap<string, number>;
}

export class Tesseract {
  private detector: Engine | undefined;
  private reader: Engine | undefined;
  private loaded = "";

  private constructor(
    private readonly core: Core,
    /** The data of a language, by its name. */
    private readonly dataOf: (code: string) => Promise<Uint8Array>,
  ) {}

  static async load(dataOf: (code: string) => Promise<Uint8Array>): Promise<Tesseract> {
    const { default: start } = await import("tesseract.js-core/tesseract-core-simd.js");
    const wasmBinary = await Bun.file(wasmPath).bytes();
    return new Tesseract(await start({ wasmBinary, print() {}, printErr() {} }), dataOf);
  }

  /** Takes the picture that is read from now on. */
  take(bytes: Uint8Array): void {
    this.core.FS.writeFile(PICTURE, bytes);
  }

  /** Orientation and script of the picture; null where there is too little to tell. */
  async detect(exif: number): Promise<Detection | null> {
    this.detector ??= await this.open("osd", LEGACY);
    if (this.detector.SetImageFile(exif, 0) === 1) throw new Error("the picture cannot be decoded");
    const results = new this.core.OSResults();
    try {
      if (!this.detector.DetectOS(results)) return null;
      const { orientation_id, oconfidence, script_id, sconfidence } = results.best_result;
      const script = results.get_unicharset().get_script_from_script_id(script_id);
      const turns = (EXIF_OF_TURNS.length - orientation_id) % EXIF_OF_TURNS.length;
      return { turns, script, turnsCertainty: oconfidence, scriptCertainty: sconfidence };
    } finally {
      this.core.destroy(results);
      this.detector.Clear();
    }
  }

  /** Loads the languages unless they are loaded; true when they had to be, and the picture must be shown to them. */
  async useLanguages(codes: readonly string[]): Promise<boolean> {
    const joined = codes.join("+");
    if (this.loaded === joined) return false;
    if (this.reader !== undefined) {
      this.reader.End();
      this.core.destroy(this.reader);
      this.reader = undefined;
    }
    this.loaded = "";
    this.reader = await this.open(joined, TRAINED);
    this.loaded = joined;
    return true;
  }

  /** Shows the picture to the languages loaded, turned and set straight. Throws what cannot be decoded. */
  show(exif: number): void {
    const reader = this.engine();
    if (reader.SetImageFile(exif, 0) === 1) throw new Error("the picture cannot be decoded");
    reader.SetPageSegMode(pageModes.columns);
    reader.FindLines();
    const slope = reader.GetGradient();
    // A little is read as well, and turning costs sharpness.
    if (Math.abs(slope) >= LEAST_SLOPE && Math.abs(slope) <= MOST_SLOPE) reader.SetImageFile(exif, slope);
  }

  recognise(mode: PageMode): Recognised {
    const reader = this.engine();
    reader.SetPageSegMode(pageModes[mode]);
    reader.Recognize(null);
    return { rows: reader.GetTSVText(0), languages: this.languagesOfWords(reader) };
  }

  /** Lets go of the picture. */
  clear(): void {
    this.reader?.Clear();
    this.core.FS.unlink(PICTURE);
  }

  private languagesOfWords(reader: Engine): Map<string, number> {
    const words = new Map<string, number>();
    const iterator = reader.GetIterator();
    try {
      if (iterator.Empty(WORDS)) return words;
      do {
        const language = iterator.WordRecognitionLanguage();
        words.set(language, (words.get(language) ?? 0) + 1);
      } while (iterator.Next(WORDS));
      return words;
    } finally {
      this.core.destroy(iterator);
    }
  }

  private engine(): Engine {
    if (this.reader === undefined) throw new Error("no languages are loaded");
    return this.reader;
  }

  private async open(languages: string, engine: number): Promise<Engine> {
    const codes = languages.split("+");
    for (const code of codes) this.core.FS.writeFile(`/${code}.traineddata`, await this.dataOf(code));
    try {
      const opened = new this.core.TessBaseAPI();
      if (opened.Init(null, languages, engine) !== 0) throw new Error(`Tesseract cannot load ${languages}`);
      return opened;
    } finally {
      for (const code of codes) this.core.FS.unlink(`/${code}.traineddata`);
    }
  }
}

/** Of radians: less is read as it is, more is no slope of lines. */
const LEAST_SLOPE = 0.01;
const MOST_SLOPE = 0.5;

/** The EXIF number that turns a picture, which already has one, by so many quarters to the right. */
export function turned(exif: number, turns: number): number {
  const before = EXIF_OF_TURNS.indexOf(exif as (typeof EXIF_OF_TURNS)[number]);
  return EXIF_OF_TURNS[(Math.max(before, 0) + turns) % EXIF_OF_TURNS.length] ?? 1;
}
