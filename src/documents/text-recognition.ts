/** What loaders that recognise text in pictures and speech in recordings are told, and how they say how far they are. */

/** What whoever uploads a file says of its languages. */
export interface ExpectedLanguages {
  /** Spoken, as a BCP 47 tag; null: it is to be found out. */
  readonly language: string | null;
  /** Written in pictures and scans, as BCP 47 tags or names of Tesseract's; none: they are to be found out. */
  readonly ocrLanguages: readonly string[];
}

/** Subtitles that came with a recording. */
export interface SubtitleFile {
  readonly path: string;
  readonly originalName: string;
}

/** How this server recognises, whatever the file. */
export interface RecognitionSettings {
  /** Where models lie that were added to those built in; null: nowhere. */
  readonly modelsDirectory: string | null;
  /** Written in pictures and scans, where an upload does not say; none: they are to be found out. */
  readonly ocrLanguages: readonly string[];
  /** The program that recognises text in the place of what is built in; null: none does. */
  readonly ocrProgram: OcrProgramSettings | null;
  readonly speech: SpeechSettings;
}

/** How it is used. */
export interface OcrProgramSettings {
  /** Its name or path. */
  readonly program: string;
  /** By the clock and of a processor, for one reading of a page. */
  readonly seconds: number;
}

/** How this server listens to recordings. */
export interface SpeechSettings {
  /** Spoken where an upload says nothing, as a BCP 47 tag; null: it is to be found out. */
  readonly language: string | null;
  /** The model that is used wherever it understands the language; null: whichever does. */
  readonly model: string | null;
  /** The program that decodes AAC; null: there is none, or it is not to be used. */
  readonly ffmpeg: string | null;
}

export interface TextRecognition extends RecognitionSettings {
  readonly expected: ExpectedLanguages;
  /** Of the uploaded file, and of no member of it. */
  readonly subtitles: SubtitleFile | null;
  /** How much of the file has been recognised, from 0 to 1. As long as it grows, the file is given time. */
  progress(fraction: number): void;
  /** Something is not as whoever runs the server set it, which they are told in this sentence. The file is read all the same. */
  trouble(sentence: string): void;
}

/** The progress that is told before anything has been recognised: from then on the file may take what recognition takes. */
export const BEGUN = 1e-6;

export const nothingExpected: ExpectedLanguages = { language: null, ocrLanguages: [] };

/** Where nothing was added and nothing is set. */
export const plainSettings: RecognitionSettings = {
  modelsDirectory: null,
  ocrLanguages: [],
  ocrProgram: null,
  speech: { language: null, model: null, ffmpeg: null },
};

/** The same where nothing is said of languages, and nobody asks how far it is. */
export const plainRecognition: TextRecognition = {
  ...plainSettings,
  expected: nothingExpected,
  subtitles: null,
  progress() {},
  trouble() {},
};
