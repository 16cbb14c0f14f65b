/**
 * Pictures of text → their text, for one file: in the languages that are named, or else in those at hand of the writing that is detected.
 * What is found out on one page is expected on the next, and found out again where that is read less surely.
 */
import type { Content } from "../content.ts";
import { BEGUN } from "../text-recognition.ts";
import { type AtHand, languagesOfBoth } from "./at-hand.ts";
import { builtInLanguages, languagesAtHand, readLanguageData } from "./language-data.ts";
import {
  addedLanguages,
  isLackOfLanguage,
  lacking,
  languagesFor,
  namedLanguages,
  ownLanguages,
} from "./language-choice.ts";
import { isWriting, languageTitle } from "./languages.ts";
import { PageReader, programToUse } from "./page-reader.ts";
import { type RecognisedText, textOf } from "./paragraphs.ts";
import { OcrProgramFault } from "./program.ts";
import { type Detection, type PageMode, Tesseract, turned } from "./tesseract.ts";
import { writtenLanguage, writtenThroughout } from "./written-language.ts";

/** Of 100. A page that is read so surely lies upright, in a language that was expected, and its layout was understood. */
const GOOD = 90;
/** Less is no difference between two readings. */
const NEARLY = 2;
/** A detected writing or orientation that is less certain is not acted upon. */
const CERTAIN = 0.5;
/** As it is called by the detection. */
const HAN = "Han";
/** Orientation that is so certain is that of writing: of ten pages of Chinese the least was 4.9, of what was none the most 4.4. */
const LIES_SURELY = 4.5;
/** The way of searching that tells columns from one another; others mix them, however sure they are of the words. */
const FIRST_MODE: PageMode = "columns";
/** The ways of searching a page, each tried where those before were less sure than this. */
const MODES: ReadonlyArray<readonly [PageMode, number]> = [
  [FIRST_MODE, 100],
  ["oneBlock", GOOD],
  ["scattered", 70],
];
/** From here on it is believed which languages the words are in. */
const FAIR = 70;
/** What is less sure in a writing that was not detected is a picture without text, however it is searched. */
const POOR = 40;
/** Words in a writing that was not detected are believed from here on: letters of another are read as some of these. */
const LEAST_SURE = 60;
/** A page of whose words so many were read in its own language gains nothing by being read in it alone. */
const MOSTLY = 0.9;
/** A way of reading that is surer is better unless it reads less than this share of what another does. */
const AS_MUCH = 0.9;

/** A page as it was read in one way. */
interface Reading extends RecognisedText {
  /** How many words were read by which language. */
  readonly words: ReadonlyMap<string, number>;
}

/** How the pages of a file are read. */
interface Expectation {
  readonly languages: readonly string[];
  /** Quarter turns to the right, beside those that the picture itself asks for. */
  readonly turns: number;
  /** What is read so surely needs no other way of reading. */
  readonly confidence: number;
}

const NOTHING: Reading = { paragraphs: [], confidence: 0, worth: 0, words: new Map() };

let loading: Promise<Tesseract> | undefined;
let paths: ReadonlyMap<string, string> = new Map();
/** The language of the last page that was in one throughout: files that come one after the other are mostly in the same. */
let lastWritten: string | undefined;

export class TextRecogniser {
  /** Of the page to come; null: nothing is known of it. */
  private expected: Expectation | null;
  /** Of the page that is read: how it was read already, and as which EXIF number it is shown. */
  private readonly readings = new Map<string, Reading>();

  private constructor(
    private readonly content: Content,
    private readonly reader: PageReader,
    private readonly atHand: AtHand,
    /** The languages that are named; none: they are found out. */
    private readonly named: readonly string[],
  ) {
    this.expected = named.length === 0 ? null : { languages: named, turns: 0, confidence: GOOD };
  }

  /** Loads Tesseract unless it is loaded. Throws NO_OCR_LANGUAGE where a language that is expected has no model here. */
  static async for(content: Content): Promise<TextRecogniser> {
    const { modelsDirectory, ocrProgram, trouble } = content.recognition;
    paths = await languagesAtHand(modelsDirectory);
    const program = await programToUse(ocrProgram, trouble);
    const atHand = languagesOfBoth(paths.keys(), program?.languages ?? []);
    const named = namedLanguages(content, atHand);
    const missing = named.find((code) => !atHand.all.has(code));
    if (missing !== undefined) throw lacking(content, languageTitle(missing), missing);
    content.recognition.progress(BEGUN);
    loading ??= Tesseract.load((code) => readLanguageData(paths.get(code) ?? ""));
    return new TextRecogniser(content, new PageReader(await loading, program, paths, trouble), atHand, named);
  }

  /**
   * The text of one picture, in any format that Leptonica decodes. `exif`: how it lies, as EXIF numbers it.
   * Throws NO_OCR_LANGUAGE where no language of its writing is here, and any error where it cannot be decoded.
   */
  async read(picture: Uint8Array, exif = 1): Promise<RecognisedText> {
    this.readings.clear();
    try {
      this.reader.take(picture);
      const text = await this.readTaken(exif);
      this.reader.clear();
      return text;
    } catch (error) {
      if (!isLackOfLanguage(error)) this.reader.abandon();
      if (error instanceof OcrProgramFault)
        throw this.content.unreadable(`the program that reads its language on this server failed: ${error.message}`);
      throw error;
    }
  }

  private async readTaken(exif: number): Promise<RecognisedText> {
    const { expected } = this;
    const usual = expected === null ? NOTHING : await this.readAs(expected, exif);
    if (expected !== null && usual.confidence >= expected.confidence) return usual;
    const detection = await this.reader.detect(exif);
    const script = detection === null ? null : writingOf(detection);
    const isCertain = script !== null;
    const isTurned = detection !== null && detection.turnsCertainty >= CERTAIN;
    const turns = isTurned ? detection.turns : (expected?.turns ?? 0);
    const languages = this.candidates(script);
    const upright = turned(exif, turns);
    const found =
      (await this.readInOne(languages, upright)) ?? (await this.readIn(languages, upright, isCertain ? 0 : POOR));
    const text = better(usual, found);
    const isSettled = this.named.length > 0 || isCertain;
    if (text === found && text.confidence >= (isSettled ? FAIR : GOOD)) await this.expect(languages, exif, turns, text);
    if (isSettled || text.confidence >= FAIR || text.worth === 0) return text;
    const best = better(text, await this.readInAdded(upright));
    return best.confidence >= LEAST_SURE ? best : NOTHING;
  }

  private readAs({ languages, turns }: Expectation, exif: number): Promise<Reading> {
    return this.readOnce(languages, turned(exif, turns), FIRST_MODE);
  }

  /** Expects of the next page what was found out on this one, of which `best` is the best reading. */
  private async expect(asked: readonly string[], exif: number, turns: number, best: Reading): Promise<void> {
    const languages = this.narrowed(asked, best);
    const upright = turned(exif, turns);
    const alone = this.readings.get(wayOf(languages, upright, FIRST_MODE));
    const first = alone ?? (await this.readOnce(asked, upright, FIRST_MODE));
    const isAsGood = better(first, best) === first || first.confidence >= best.confidence - NEARLY;
    const confidence = isAsGood ? Math.min(GOOD, first.confidence - NEARLY) : GOOD;
    this.expected = { languages, turns, confidence };
  }

  /** Those of the languages that the text is in; what is named, and what was added, stays. */
  private narrowed(languages: readonly string[], { paragraphs, words, confidence }: Reading): readonly string[] {
    // Names in English are few, and stay so.
    const isFixed = this.named.length > 0 || languages.some((code) => !builtInLanguages.includes(code));
    if (isFixed || confidence < FAIR) return languages;
    // Letters that several languages have are read by any of them, so that the words themselves come first.
    const written = writtenLanguage(paragraphs.join("\n"), languages);
    return written === null ? (ownLanguages(words) ?? languages) : [written];
  }

  /** A page that was read in several languages at once, read in its own: where it is as sure of it, it knows its letters better. */
  private async readInOwn(own: readonly string[], exif: number, reading: Reading): Promise<Reading> {
    const all = [...reading.words.values()].reduce((sum, count) => sum + count, 0);
    const inOwn = own.reduce((sum, language) => sum + (reading.words.get(language) ?? 0), 0);
    if (inOwn >= all * MOSTLY) return reading;
    const alone = await this.readOnce(own, exif, FIRST_MODE);
    const isAsSure = alone.confidence >= reading.confidence - NEARLY && alone.worth >= reading.worth * AS_MUCH;
    return isAsSure ? alone : reading;
  }

  /** In the languages that were added, writing by writing: too little for the detection may be enough for one of them. */
  private async readInAdded(exif: number): Promise<Reading> {
    let best = NOTHING;
    for (const codes of addedLanguages(this.atHand)) best = better(best, await this.readOnce(codes, exif, FIRST_MODE));
    return best;
  }

  /** Languages at hand of a writing; of those built in where it is not known. */
  private candidates(detected: string | null): readonly string[] {
    if (this.named.length > 0) return this.named;
    if (detected === null) return this.expected?.languages ?? builtInLanguages;
    return languagesFor(detected, this.content, this.atHand);
  }

  /** A page that is in one of the built-in languages throughout, as its words say; null for any other. All at once take as much longer. */
  private async readInOne(languages: readonly string[], exif: number): Promise<Reading | null> {
    if (languages.length < 2 || this.named.length > 0) return null;
    if (languages.some((code) => !builtInLanguages.includes(code))) return null;
    const first = languages.find((code) => code === lastWritten) ?? languages[0]!;
    const reading = await this.readOnce([first], exif, FIRST_MODE);
    const written = writtenThroughout(reading.paragraphs.join("\n"), languages);
    if (written === null) return null;
    const own = written === first ? reading : await this.readOnce([written], exif, FIRST_MODE);
    if (own.confidence < GOOD) return null;
    lastWritten = written;
    return own;
  }

  private async readIn(asked: readonly string[], exif: number, least: number): Promise<Reading> {
    let languages = asked;
    let best = NOTHING;
    for (const [mode, below] of MODES) {
      if (best.confidence >= below) continue;
      let reading = await this.readOnce(languages, exif, mode);
      languages = this.narrowed(languages, reading);
      if (mode === FIRST_MODE) reading = await this.readInOwn(languages, exif, reading);
      best = better(best, reading);
      if (best.confidence < least) break;
    }
    return best;
  }

  /** Reads the page in this way, unless it was. */
  private async readOnce(languages: readonly string[], exif: number, mode: PageMode): Promise<Reading> {
    const way = wayOf(languages, exif, mode);
    const before = this.readings.get(way);
    if (before !== undefined) return before;
    const recognised = await this.reader.read(languages, exif, mode);
    const reading = { ...textOf(recognised.rows), words: recognised.languages };
    this.readings.set(way, reading);
    return reading;
  }
}

/** The writing that was detected, as far as it may be acted upon. */
function writingOf({ script, scriptCertainty, turnsCertainty }: Detection): string | null {
  // Han is never much likelier than what is written with it as well, and textures are no less like it: those lie in no way.
  const isCertain = scriptCertainty >= CERTAIN || (script === HAN && turnsCertainty >= LIES_SURELY);
  return isCertain && isWriting(script) ? script : null;
}

const wayOf = (languages: readonly string[], exif: number, mode: PageMode): string =>
  `${languages.join("+")} ${exif} ${mode}`;

function better(one: Reading, other: Reading): Reading {
  const [surer, less] = other.confidence > one.confidence ? [other, one] : [one, other];
  return surer.worth >= less.worth * AS_MUCH ? surer : less;
}
