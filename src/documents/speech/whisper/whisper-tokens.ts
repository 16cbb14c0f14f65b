/** Whisper's vocabulary: bytes spelt as GPT-2 does, languages, tasks and times. */

const LANGUAGE = /^<\|([a-z]{2,3})\|>$/;
const TIME = /^<\|(\d+\.\d\d)\|>$/;

export class WhisperTokens {
  readonly end: number;
  readonly start: number;
  /** Null in models of English alone. */
  readonly transcribe: number | null;
  readonly previous: number | null;
  readonly noTimes: number | null;
  readonly noSpeech: number | null;
  /** The token of 0.00 s; those of later times follow, 20 ms apart. */
  readonly firstTime: number;
  /** Tokens of languages, by their tags. */
  readonly languages: ReadonlyMap<string, number>;
  /** Tokens that say something of what follows and are nothing that is said. */
  readonly special: ReadonlySet<number>;

  /** `pieces`: each token's own text. Throws an Error that names a token that is missing. */
  constructor(private readonly pieces: readonly string[]) {
    const ids = new Map(pieces.map((piece, id) => [piece, id]));
    const needed = (piece: string): number => {
      const id = ids.get(piece);
      if (id === undefined) throw new Error(`the vocabulary has no token ${piece}`);
      return id;
    };
    this.end = needed("<|endoftext|>");
    this.start = needed("<|startoftranscript|>");
    this.firstTime = timesFrom(pieces, ids, needed);
    this.transcribe = ids.get("<|transcribe|>") ?? null;
    this.previous = ids.get("<|startofprev|>") ?? null;
    this.noTimes = ids.get("<|notimestamps|>") ?? null;
    this.noSpeech = ids.get("<|nospeech|>") ?? ids.get("<|nocaptions|>") ?? null;
    this.languages = new Map(
      pieces.flatMap((piece, id) => {
        const tag = LANGUAGE.exec(piece)?.[1];
        return tag === undefined ? [] : [[tag, id] as const];
      }),
    );
    this.special = new Set(
      pieces.flatMap((piece, id) => (/^<\|.*\|>$/.test(piece) && id !== this.end && id < this.firstTime ? [id] : [])),
    );
  }

  isTime(token: number): boolean {
    return token >= this.firstTime;
  }

  secondsOf(token: number): number {
    return (token - this.firstTime) * 0.02;
  }

  /** The text of tokens; times and all that is special say nothing. */
  decode(tokens: readonly number[]): string {
    const bytes: number[] = [];
    for (const token of tokens) {
      const piece = this.pieces[token];
      if (piece === undefined || token === this.end || this.special.has(token) || this.isTime(token)) continue;
      for (const letter of piece) bytes.push(byteOf.get(letter) ?? 0x20);
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }
}

/** Some vocabularies leave the times out: they follow on `<|notimestamps|>`. */
function timesFrom(
  pieces: readonly string[],
  ids: ReadonlyMap<string, number>,
  needed: (piece: string) => number,
): number {
  const found = ids.get("<|0.00|>") ?? pieces.findIndex((piece) => TIME.test(piece));
  return found >= 0 ? found : needed("<|notimestamps|>") + 1;
}

/** Bytes that are no letters to be seen stand for themselves 256 further on. */
const byteOf: ReadonlyMap<string, number> = (() => {
  const map = new Map<string, number>();
  const isSeen = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let unseen = 0;
  for (let byte = 0; byte < 256; byte += 1) {
    map.set(String.fromCodePoint(isSeen(byte) ? byte : 256 + unseen), byte);
    if (!isSeen(byte)) unseen += 1;
  }
  return map;
})();
