/** Lists of ids, one for each of several texts, laid end to end, so that they cross threads as two buffers instead of many arrays. Pure. */

export interface IdLists {
  readonly ids: Uint32Array;
  /** Where each text's ids end, exclusive. */
  readonly ends: Uint32Array;
}

export function packIds(texts: ReadonlyArray<ArrayLike<number>>): IdLists {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  texts.forEach((text, index) => (ends[index] = end += text.length));
  const ids = new Uint32Array(end);
  texts.forEach((text, index) => ids.set(text, (ends[index] as number) - text.length));
  return { ids, ends };
}

/** Each text's ids, as parts of one buffer. */
export function unpackIds({ ids, ends }: IdLists): Uint32Array[] {
  return partsOf(ids, ends);
}

/** Each text's part of what is laid end to end. */
export function partsOf<Numbers extends Uint32Array | Float32Array>(all: Numbers, ends: Uint32Array): Numbers[] {
  return Array.from(ends, (end, index) => all.subarray(ends[index - 1] ?? 0, end) as Numbers);
}
