/** The part of tesseract.js-core that is used: names are those of Tesseract's own interface. */

export interface Engine {
  /** 0: done. */
  Init(path: null, languages: string, engine: number): number;
  End(): void;
  Clear(): void;
  SetPageSegMode(mode: number): void;
  /** Decodes the file "/input", laid as the EXIF number says and turned by so many radians. 1: it cannot be decoded. */
  SetImageFile(exif: number, radians: number): number;
  FindLines(): number;
  /** Radians by which lines slope. */
  GetGradient(): number;
  /** Writes the picture as it is read to the file "/image.png". 0: in its colours, 1: in shades of grey, 2: in black and white. */
  WriteImage(kind: number): void;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  GetIterator(): WordIterator;
  DetectOS(results: Orientation): boolean;
}

export interface WordIterator {
  Empty(level: number): boolean;
  Next(level: number): boolean;
  WordRecognitionLanguage(): string;
}

export interface Orientation {
  readonly best_result: {
    readonly orientation_id: number;
    readonly oconfidence: number;
    readonly script_id: number;
    readonly sconfidence: number;
  };
  get_unicharset(): { get_script_from_script_id(id: number): string };
}

export interface Core {
  readonly TessBaseAPI: new () => Engine;
  readonly OSResults: new () => Orientation;
  readonly FS: {
    /** `canOwn`: the bytes are kept as they are, and no copy of them. */
    writeFile(path: string, bytes: Uint8Array, options?: { readonly canOwn: boolean }): void;
    readFile(path: string): Uint8Array;
    unlink(path: string): void;
  };
  destroy(object: unknown): void;
}

/** Makes the instance itself, and hands it over. */
export type Instantiate = (
  imports: ConstructorParameters<typeof WebAssembly.Instance>[1],
  done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => WebAssembly.Instance["exports"];
