/** Values of cells as Excel's binary formats write them (MS-XLS 2.5.10 and 2.5.217). */

const ERRORS: Readonly<Record<number, string>> = {
  0: "#NULL!",
  7: "#DIV/0!",
  15: "#VALUE!",
  23: "#REF!",
  29: "#NAME?",
  36: "#NUM!",
  42: "#N/A",
};

/** A number in four bytes: a whole one or the upper half of a floating one, and perhaps a hundred times what is meant. */
export function smallNumber(packed: number): number {
  const half = Buffer.alloc(8);
  half.writeUInt32LE((packed & ~3) >>> 0, 4);
  const value = (packed & 2) === 0 ? half.readDoubleLE(0) : packed >> 2;
  return (packed & 1) === 0 ? value : value / 100;
}

export function errorText(value: number | undefined): string {
  return ERRORS[value ?? -1] ?? "#ERROR";
}
