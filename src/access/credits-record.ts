/** Credits as records and answers show them. */

/** A number of credits, or "unlimited". */
export function creditsRecord(thousandths: number | null): number | "unlimited" {
  return thousandths === null ? "unlimited" : thousandths / 1000;
}
