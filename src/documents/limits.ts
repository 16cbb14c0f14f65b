/** Every limit of reading a document, beside those of the process (time and memory) that the extractor enforces. */

export interface ReadingLimits {
  /** UTF-16 units of extracted text. */
  maxTextCharacters: number;
  /** Chunks that the text is cut into. */
  maxChunks: number;
  /** Levels of JSON values, XML elements and RTF groups inside one another. */
  maxNesting: number;
  /** Elements of XML that is read as a whole before any of it is used. */
  maxTreeElements: number;
  /** Characters of a text that is read into a tree; larger ones are read as they are written. */
  maxTreeCharacters: number;
  /** Rows of a table, or of all sheets of a workbook together. */
  maxRows: number;
  /** Cues of subtitles: they are stored and shown as one value. */
  maxCues: number;
  /** Of a recording. */
  maxRecordingSeconds: number;
  /** Cells of one row. */
  maxColumns: number;
  /** Places in the sheets of a workbook, empty ones between others too. */
  maxCells: number;
  /** Bytes of one row of a CSV file. */
  maxRowBytes: number;
  /** Pages of a PDF. */
  maxPages: number;
  /** Points of a picture of which text is recognised. */
  maxPicturePoints: number;
  /** Pictures in one file whose text is recognised; further ones are left out. Pages of a PDF do not count. */
  maxPictures: number;
  /** Elements of a page inside one another. */
  maxElementDepth: number;
  /** Elements of a page, and levels of them, up to which the main content is looked for; larger pages are taken whole. */
  maxScoredElements: number;
  maxScoredDepth: number;
  /** Parts of a message inside one another. */
  maxPartDepth: number;
  /** Bytes of the heads of all parts of a message together. */
  maxHeadBytes: number;
  /** Members of a container, parts of a message, and members read of all containers in a file together. */
  maxMembers: number;
  /** Containers inside one another. */
  maxMemberDepth: number;
  /** Bytes of all members read from a container, and from all containers in a file, together. */
  maxInflatedBytes: number;
  /** Inflated size over packed size of one member, applied from `ratioAppliesFrom` inflated bytes on. */
  maxInflationRatio: number;
  ratioAppliesFrom: number;
}

export const defaultReadingLimits: ReadingLimits = {
  maxTextCharacters: 50_000_000,
  maxChunks: 50_000,
  maxNesting: 256,
  maxTreeElements: 500_000,
  maxTreeCharacters: 1_000_000,
  maxRows: 5_000_000,
  maxCues: 50_000,
  maxRecordingSeconds: 24 * 3600,
  maxColumns: 5_000,
  maxCells: 100_000_000,
  maxRowBytes: 1_000_000,
  maxPages: 20_000,
  maxPicturePoints: 40_000_000,
  maxPictures: 1_000,
  maxElementDepth: 20_000,
  maxScoredElements: 50_000,
  maxScoredDepth: 256,
  maxPartDepth: 100,
  maxHeadBytes: 2 * 1024 * 1024,
  maxMembers: 10_000,
  maxMemberDepth: 6,
  maxInflatedBytes: 256 * 1024 * 1024,
  maxInflationRatio: 150,
  ratioAppliesFrom: 4 * 1024 * 1024,
};
