/** What changes the look of a paragraph or of characters in a Word 97-2003 document, as it is written. Format: MS-DOC 2.6. */

export const Modifier = {
  deleted: 0x0800,
  hidden: 0x083c,
  inTable: 0x2416,
  rowEnd: 0x2417,
  outlineLevel: 0x2640,
  list: 0x460b,
  listLevel: 0x260a,
  innerRowEnd: 0x244c,
  style: 0x4600,
  tableDefinition: 0xd608,
  tabs: 0xc615,
} as const;

/** Property modifiers with the first two bytes of their operands. */
export function* modifiersOf(bytes: Buffer): Generator<{ modifier: number; value: number }> {
  for (let at = 0; at + 3 <= bytes.length; ) {
    const modifier = bytes.readUInt16LE(at);
    const size = operandBytes(modifier, bytes, at + 2);
    yield { modifier, value: size === 1 ? bytes[at + 2]! : bytes[at + 2]! + (bytes[at + 3] ?? 0) * 256 };
    at += 2 + size;
  }
}

function operandBytes(modifier: number, bytes: Buffer, at: number): number {
  const kind = modifier >>> 13;
  if (kind < 2) return 1;
  if (kind === 3) return 4;
  if (kind === 7) return 3;
  if (kind !== 6) return 2;
  if (modifier === Modifier.tableDefinition) return (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256 + 1;
  const size = bytes[at] ?? 0;
  // This one says its size only by what it holds; nothing that matters here follows it.
  return modifier === Modifier.tabs && size === 0xff ? bytes.length : size + 1;
}
