/** Counts the items of Word's lists and says the numbers as they are printed: "3.1", "(a)", "IV." */
import { listNumber, type NumberStyle } from "./list-numbers.ts";

export interface ListLevel {
  readonly start: number;
  /** Null for bullets. */
  readonly style: NumberStyle | null;
  /** With "%1" for the number of the first level. */
  readonly text: string;
  /** All numbers in it are decimal. */
  readonly isLegal: boolean;
  /** Whether a paragraph of a level above begins it anew. */
  readonly restarts: boolean;
}

export interface NumberedList<Level extends ListLevel = ListLevel> {
  /** Lists of one kind count together. */
  readonly kind: string;
  /** By their numbers, from 0 on. */
  readonly levels: ReadonlyMap<number, Level>;
  /** Where this list begins to count anew, until it has. */
  readonly starts: Map<number, number>;
}

export const LIST_LEVELS = 9;
/** UTF-16 units of what is printed before a paragraph, with signs for the numbers in it. */
export const LONGEST_LEVEL_TEXT = 100;

export class ListCounter {
  private readonly counts = new Map<string, number[]>();

  /** What stands before the next paragraph of this level of a list: "" for a bullet, null where the list has no such level. */
  next(list: NumberedList, number: number): string | null {
    const level = list.levels.get(number);
    if (level === undefined) return null;
    const counts = this.count(list, number, level);
    if (level.style === null) return "";
    return level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const shown = list.levels.get(Number(digit) - 1);
      const count = counts[Number(digit) - 1] ?? shown?.start ?? 1;
      return listNumber(count, level.isLegal ? "decimal" : (shown?.style ?? "decimal"));
    });
  }

  private count(list: NumberedList, number: number, { start }: ListLevel): number[] {
    const counts = this.counts.get(list.kind) ?? [];
    this.counts.set(list.kind, counts);
    const begins = list.starts.get(number);
    list.starts.delete(number);
    counts[number] = begins ?? (counts[number] ?? start - 1) + 1;
    for (let deeper = number + 1; deeper < LIST_LEVELS; deeper += 1)
      if (list.levels.get(deeper)?.restarts !== false) delete counts[deeper];
    return counts;
  }
}
