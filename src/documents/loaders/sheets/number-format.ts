/** Numbers of spreadsheets as they are shown: amounts, percentages, dates and times. */

/** Shows a number by a format's text, or by the number of a format that every program knows. */
export type NumberFormatter = (value: number, format: string | number) => string;

/** Day and time by the reader's own habits, which differ; these are read alike everywhere. */
const HABITUAL: ReadonlyMap<string | number, string> = new Map<string | number, string>([
  [14, "yyyy-mm-dd"],
  ["m/d/yy", "yyyy-mm-dd"],
  ["mm-dd-yy", "yyyy-mm-dd"],
  [22, "yyyy-mm-dd hh:mm"],
  ["m/d/yy h:mm", "yyyy-mm-dd hh:mm"],
]);
/** UTF-16 units of a format, which each number with it is read by anew; spreadsheets themselves allow 255. */
const LONGEST_FORMAT = 1000;
const GENERAL: ReadonlySet<string | number> = new Set<string | number>([0, "", "General", "GENERAL"]);

/** `from1904` where days count from 1904. */
export async function numberFormatter(from1904: boolean): Promise<NumberFormatter> {
  const { SSF } = await import("@e965/xlsx");
  return (value, format) => {
    // Identifiers among them are looked for whole, though a narrow column shows fewer digits.
    if (GENERAL.has(format) && Number.isSafeInteger(value)) return String(value);
    if (String(format).length > LONGEST_FORMAT) return String(value);
    try {
      return SSF.format(HABITUAL.get(format) ?? format, value, { date1904: from1904 }).trim();
    } catch {
      // A format that nobody can read shows nothing of the number; the number itself does.
      return String(value);
    }
  };
}
