/** The shapes that cross the border of `documents/`: what is asked of it and what it hands back. */
import type { DocumentProperties, PassagePlace } from "../foundation/place.ts";
import type { ExpectedLanguages, RecognitionSettings, SubtitleFile } from "./text-recognition.ts";

/** How a text is cut, in tokens of the embedding model. */
export interface Chunking {
  chunkSize: number;
  chunkOverlap: number;
}

/** A stretch of a document as it is embedded, found and shown. */
export interface Passage {
  readonly text: string;
  /** UTF-16 units at its beginning that say what it belongs to, and do not stand there in the document; 0: none. */
  readonly contextLength: number;
  readonly place: PassagePlace;
}

/** What is said in a recording from one second to another. */
export interface SubtitleEntry {
  /** From 1 on. */
  id: number;
  startTime: number;
  endTime: number;
  text: string;
}

export interface ExtractedDocument {
  /** The loader that read the file, e.g. "pdf". */
  loaderId: string;
  /** The type found in the content, e.g. "text/markdown"; not what the client declared. */
  mimeType: string;
  /** Lower case, without the dot, e.g. "md". */
  extension: string;
  properties: DocumentProperties;
  subtitles: SubtitleEntry[] | null;
}

/** Takes the next passages of a document, in reading order, none blank; the next come when it has resolved. */
export type TakePassages = (passages: readonly Passage[]) => void | Promise<void>;

export interface ExtractionRequest {
  /** Whose file it is: children are shared fairly between customers. */
  customerId: string;
  /** Bytes. */
  size: number;
  /** Where the bytes lie. The name of this file is not looked at. */
  path: string;
  /** The name the client gave, used for tie-breaking and in errors. */
  originalName: string;
  declaredMimeType: string | null;
  chunking: Chunking;
  /** Nothing is expected where it is left out. */
  expected?: ExpectedLanguages;
  /** A file of subtitles that belongs to it, should it be a recording. */
  subtitles?: SubtitleFile | null;
}

export interface DocumentExtractor {
  /**
   * Reads one file in a child process, and hands its passages on while it is being cut: what fails later, or is thrown by `take`,
   * rejects when some have been taken already.
   *
   * Throws UNSUPPORTED_FILE_TYPE, UNREADABLE_FILE (broken, encrypted, bomb, over the time or memory limit), EMPTY_FILE or
   * NO_TEXT with `details.file` = originalName; UPLOADS_PAUSED while the customer's files have too often run into the limits on time
   * and memory; BUSY when the queue is full; SHUTTING_DOWN after close(). When the signal aborts, rejects with the signal's reason.
   *
   * `onProgress` is told how much of a scan or recording has been recognised, from 0 to 1; from the beginning again where the file is put
   * back in favour of others.
   */
  extract(
    request: ExtractionRequest,
    take: TakePassages,
    signal?: AbortSignal,
    onProgress?: (fraction: number) => void,
  ): Promise<ExtractedDocument>;
  /** Ends the children at once; files still being read are refused with SHUTTING_DOWN. */
  close(): Promise<void>;
}

export interface ExtractorOptions {
  /** Starts a child, e.g. `[process.execPath, "--role=extract"]`. */
  command: string[];
  /** The whole environment of a child; nothing is inherited. */
  environment: Record<string, string>;
  /**
   * Children at most, each reading one file at a time. With two and more, one of them is never held for long. Files that are recognised hold
   * all but one of them at most, and where that leaves too few for the others, one child more is started.
   */
  processes: number;
  /** Of a processor, for one file; for as long as ever more of it is recognised, since that last grew. */
  maxSeconds: number;
  /** Of a processor, for all of a file that is recognised. */
  maxRecognitionHours: number;
  /** Memory a child may take for one file beyond what it takes when idle. */
  maxMemoryMegabytes: number;
  /** The same for a file of which something is recognised, if that is more: models take what no document does. */
  maxRecognitionMemoryMegabytes: number;
  recognition: RecognitionSettings;
  /** Told what is not as it is set in `recognition`, in a sentence for whoever runs the server. */
  onTrouble: (sentence: string) => void;
  /** UTF-16 units of extracted text. */
  maxTextCharacters: number;
  /** Chunks of one file: each becomes a vector in the server's memory, and small overlapping ones make thousands of a page. */
  maxChunks: number;
  /** The longest time for which a customer's files are refused after some that ran into the limits on time and memory; 0: never. */
  maxPauseSeconds: number;
  /** An idle child is ended after this time. */
  idleSeconds: number;
  /** Files waiting for a child at most; further ones are refused with BUSY. */
  maxQueued: number;
}

/** What chunking needs of an embedding model's tokenizer. */
export interface TokenCounterLike {
  /** UTF-16 offsets [start, end) of each token of the text, ascending by start. */
  offsets(text: string): Promise<ReadonlyArray<readonly [number, number]>>;
}
