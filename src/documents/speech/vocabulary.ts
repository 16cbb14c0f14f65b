/** Tokens to text, for vocabularies of pieces in which "▁" stands for a blank and <0x41> for a byte. */

export interface Vocabulary {
  decode(tokens: readonly number[]): string;
}

const BYTE = /^<0x([0-9A-F]{2})>$/;
const SPECIAL = /^(?:<s>|<\/s>|<unk>|<<ST_\d+>>|<\|.*\|>)$/;

/** `pieces`: each token's own text. */
export class PieceVocabulary implements Vocabulary {
  constructor(private readonly pieces: readonly string[]) {}

  decode(tokens: readonly number[]): string {
    const bytes: number[] = [];
    const encoder = new TextEncoder();
    for (const token of tokens) {
      const piece = this.pieces[token];
      if (piece === undefined || SPECIAL.test(piece)) continue;
      const byte = BYTE.exec(piece)?.[1];
      if (byte !== undefined) bytes.push(Number.parseInt(byte, 16));
      else bytes.push(...encoder.encode(piece.replaceAll("▁", " ")));
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }
}
