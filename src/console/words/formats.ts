/** Numbers, sizes and times as the reader writes them. */

/** Intl takes long to make what formats; each is made once. */
export interface Formats {
  /** At most `digits` behind the point. */
  number(value: number, digits?: number): string;
  percent(share: number): string;
  bytes(bytes: number): string;
  /** Of a short duration, e.g. `4.2 ms` or `1.3 s`. */
  seconds(seconds: number): string;
  day(iso: string): string;
  /** Without the year. */
  shortDay(iso: string): string;
  moment(iso: string): string;
  /** E.g. `3 hours ago`. */
  since(iso: string, now?: number): string;
  list(items: readonly string[]): string;
  /** The form of a word that goes with a number, `#` replaced by it. */
  plural(
    count: number,
    forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string },
  ): string;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"] as const;

export function formatsFor(locale: string): Formats {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Map<number, Intl.NumberFormat>();
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const shortDates = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const lists = new Intl.ListFormat(locale, { type: "conjunction" });
  const unit = (name: string, digits: number): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, maximumFractionDigits: digits });
  const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });

  function number(value: number, digits = 3): string {
    if (!numbers.has(digits)) numbers.set(digits, new Intl.NumberFormat(locale, { maximumFractionDigits: digits }));
    return numbers.get(digits)!.format(value);
  }

  return {
    number,
    percent: (share) => percents.format(share),
    bytes(bytes) {
      const step = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
      const value = bytes / 1000 ** step;
      return unit(BYTE_UNITS[step]!, step === 0 || value >= 100 ? 0 : 1).format(value);
    },
    seconds: (seconds) =>
      seconds < 1
        ? unit("millisecond", seconds < 0.1 ? 1 : 0).format(seconds * 1000)
        : unit("second", 1).format(seconds),
    day: (iso) => dates.format(new Date(iso)),
    shortDay: (iso) => shortDates.format(new Date(iso)),
    moment: (iso) => moments.format(new Date(iso)),
    since(iso, now = Date.now()) {
      const seconds = (Date.parse(iso) - now) / 1000;
      const [name, length] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
      return relative.format(Math.trunc(seconds / length), name);
    },
    list: (items) => lists.format(items),
    plural: (count, forms) => (forms[rules.select(count)] ?? forms.other).replace("#", number(count)),
  };
}
