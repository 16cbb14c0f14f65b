/** Boxes of MP4 and QuickTime (ISO 14496-12). */
import type { ByteWindow } from "../byte-source.ts";

export interface Box {
  readonly type: string;
  /** Where what it holds begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** Boxes in a row; the last may be cut off by the end. */
export function* boxesIn(window: ByteWindow, start: number, end: number): Generator<Box> {
  for (let offset = start; offset + 8 <= end; ) {
    const view = window.view(offset, 16);
    if (view.byteLength < 8) return;
    const type = window.letters(offset + 4, 4);
    let length = view.getUint32(0);
    let head = 8;
    if (length === 1) {
      if (view.byteLength < 16) return;
      length = Number(view.getBigUint64(8));
      head = 16;
    } else if (length === 0) length = end - offset;
    if (length < head) return;
    yield { type, start: offset + head, end: Math.min(end, offset + length) };
    offset += length;
  }
}

/** The first box by its path below another. */
export function boxAt(window: ByteWindow, within: Pick<Box, "start" | "end">, ...path: readonly string[]): Box | null {
  let found: Pick<Box, "start" | "end"> | null = within;
  for (const type of path) {
    if (found === null) return null;
    found = [...boxesIn(window, found.start, found.end)].find((box) => box.type === type) ?? null;
  }
  return found as Box | null;
}
