/**
 * Tesseract as WebAssembly in this process. The memory of an instance never shrinks, so that there is one at a time, for the detection or for
 * some languages, which is let go of as a whole before the next.
 */
import wasmPath from "tesseract.js-core/tesseract-core-simd.wasm" with { type: "file" };
import { letOthersIn } from "../../foundation/let-others-in.ts";
import type { Core, Engine, Instantiate } from "./core.ts";
import { DETECTION } from "./language-data.ts";

/** How a page is searched for text. */
export const pageModes = { columns: 3, oneColumn: 4, oneBlock: 6, scattered: 11 } as const;
export type PageMode = keyof typeof pageModes;

/** How EXIF numbers the quarter turns to the right that set a picture upright. */
const EXIF_OF_TURNS = [1, 6, 3, 8] as const;

/** The picture to be read, as the module's own file system has it. */
const PICTURE = "/input";
/** Where it writes the picture as it has it before it. */
const WRITTEN_PICTURE = "/image.png";
const GREY = 1;
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

/** An instance, and what it was opened with. */
interface Opened {
  readonly core: Core;
  readonly engine: Engine;
  /** Names of languages, joined by "+". */
  readonly languages: string;
}

export class Tesseract {
  private opened: Opened | undefined;
  private picture: Uint8Array | undefined;

  private constructor(
    private readonly module: WebAssembly.Module,
    /** The data of a language, by its name. */
    private readonly dataOf: (code: string) => Promise<Uint8Array>,
  ) {}

  static async load(dataOf: (code: string) => Promise<Uint8Array>): Promise<Tesseract> {
    return new Tesseract(await WebAssembly.compile(await Bun.file(wasmPath).bytes()), dataOf);
  }

  /** Takes the picture that is read from now on, which must stay as it is until it is let go of. */
  take(bytes: Uint8Array): void {
    this.picture = bytes;
    this.opened?.core.FS.writeFile(PICTURE, bytes);
  }

  /** Orientation and script of the picture; null where there is too little to tell. Languages are to be used anew afterwards. */
  async detect(exif: number): Promise<Detection | null> {
    const { core, engine } = await this.openDetection();
    lay(engine, exif);
    const results = new core.OSResults();
    if (!engine.DetectOS(results)) return null;
    const { orientation_id, oconfidence, script_id, sconfidence } = results.best_result;
    const script = results.get_unicharset().get_script_from_script_id(script_id);
    const turns = (EXIF_OF_TURNS.length - orientation_id) % EXIF_OF_TURNS.length;
    return { turns, script, turnsCertainty: oconfidence, scriptCertainty: sconfidence };
  }

  /** Loads the languages unless they are loaded; true when they had to be, and the picture must be shown to them. */
  async useLanguages(codes: readonly string[]): Promise<boolean> {
    const joined = codes.join("+");
    if (this.opened?.languages === joined) return false;
    await this.open(joined, TRAINED);
    return true;
  }

  /** Shows the picture to the languages loaded, turned and set straight. Throws what cannot be decoded. */
  show(exif: number): void {
    const { engine } = this.reader;
    lay(engine, exif);
    straighten(engine, exif);
  }

  /** The picture as a PNG in shades of grey, turned. Languages are to be used anew afterwards. Throws what cannot be decoded. */
  async upright(exif: number): Promise<Uint8Array> {
    const { core, engine } = await this.openDetection();
    lay(engine, exif);
    return written(core, engine);
  }

  /** The same set straight; null where it lies straight as it is. */
  async straightened(exif: number): Promise<Uint8Array | null> {
    const { core, engine } = await this.openDetection();
    lay(engine, exif);
    return straighten(engine, exif) ? written(core, engine) : null;
  }

  recognise(mode: PageMode): Recognised {
    const { core, engine } = this.reader;
    engine.SetPageSegMode(pageModes[mode]);
    engine.Recognize(null);
    return { rows: engine.GetTSVText(0), languages: languagesOfWords(core, engine) };
  }

  /** Lets go of the picture. */
  clear(): void {
    this.picture = undefined;
    this.opened?.engine.Clear();
    this.opened?.core.FS.unlink(PICTURE);
  }

  /** Lets go of the picture and of what was loaded: what a broken picture leaves behind is unknown. */
  abandon(): void {
    this.picture = undefined;
    this.opened = undefined;
  }

  private get reader(): Opened {
    if (this.opened === undefined) throw new Error("no languages are loaded");
    return this.opened;
  }

  private async openDetection(): Promise<Opened> {
    return this.opened?.languages === DETECTION ? this.opened : this.open(DETECTION, LEGACY);
  }

  private async open(languages: string, mode: number): Promise<Opened> {
    await this.freeOpened();
    const { default: start } = await import("tesseract.js-core/tesseract-core-simd.js");
    const core = await start({ instantiateWasm: this.instantiate, print() {}, printErr() {} });
    const codes = languages.split("+");
    for (const code of codes) core.FS.writeFile(dataPath(code), await this.dataOf(code), { canOwn: true });
    const engine = new core.TessBaseAPI();
    if (engine.Init(null, languages, mode) !== 0) throw new Error(`Tesseract cannot load ${languages}`);
    for (const code of codes) core.FS.unlink(dataPath(code));
    if (this.picture !== undefined) core.FS.writeFile(PICTURE, this.picture);
    return (this.opened = { core, engine, languages });
  }

  /** Collects what was opened, of which the garbage collector does not know how large it is. */
  private async freeOpened(): Promise<void> {
    if (this.opened === undefined) return;
    this.opened = undefined;
    // As long as what called this is running, it may still lie on the stack.
    await letOthersIn();
    Bun.gc(true);
  }

  private readonly instantiate: Instantiate = (imports, done) => {
    const instance = new WebAssembly.Instance(this.module, imports);
    done(instance, this.module);
    return instance.exports;
  };
}

function lay(engine: Engine, exif: number): void {
  if (engine.SetImageFile(exif, 0) === 1) throw new Error("the picture cannot be decoded");
}

/** Whether lines slope, and the picture was turned for it. */
function straighten(engine: Engine, exif: number): boolean {
  engine.SetPageSegMode(pageModes.columns);
  engine.FindLines();
  const slope = engine.GetGradient();
  // A little is read as well, and turning costs sharpness.
  const isSloping = Math.abs(slope) >= LEAST_SLOPE && Math.abs(slope) <= MOST_SLOPE;
  if (isSloping) engine.SetImageFile(exif, slope);
  return isSloping;
}

function written(core: Core, engine: Engine): Uint8Array {
  engine.WriteImage(GREY);
  const png = core.FS.readFile(WRITTEN_PICTURE);
  core.FS.unlink(WRITTEN_PICTURE);
  return png;
}

const dataPath = (code: string): string => `/${code}.traineddata`;

/** How many words were read by which language. */
function languagesOfWords(core: Core, engine: Engine): Map<string, number> {
  const words = new Map<string, number>();
  const iterator = engine.GetIterator();
  try {
    if (iterator.Empty(WORDS)) return words;
    do {
      const language = iterator.WordRecognitionLanguage();
      words.set(language, (words.get(language) ?? 0) + 1);
    } while (iterator.Next(WORDS));
    return words;
  } finally {
    core.destroy(iterator);
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
