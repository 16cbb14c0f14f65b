/** Credits as people write them and as the database keeps them: whole thousandths. */
import { fail } from "../foundation/errors.ts";

/** "12.5" → 12500. Throws USAGE unless it is a number with at most three decimals, from 0 to 10^12. */
export function parseCredits(written: string): number {
  const match = /^(\d{1,12})(?:\.(\d{1,3}))?$/.exec(written);
  if (!match)
    throw fail("USAGE", {
      reason: `"${written}" is not an amount of credits: write a number with at most three decimals, such as 100 or 2.5.`,
    });
  return Number(match[1]) * 1000 + Number((match[2] ?? "").padEnd(3, "0"));
}

/** 12500 → "12.5"; null → "unlimited". */
export function formatCredits(thousandths: number | null): string {
  return thousandths === null ? "unlimited" : String(thousandths / 1000);
}
