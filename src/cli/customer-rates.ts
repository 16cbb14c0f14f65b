/** How much a customer may do a minute where that is not what all may: as flags, for programs and for people. */
import type { Bucket, OwnRates } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";
import { options, type OptionName } from "../options/config.ts";
import type { CommandFlag, Invocation } from "./command.ts";

/** By the bucket that each limits. */
const rateOptions = {
  upload: "rateUpload",
  retrieval: "rateRetrieval",
  token: "rateToken",
  free: "rateFree",
} as const satisfies Record<Bucket, OptionName>;

export const rateFlags: Readonly<Record<string, CommandFlag>> = Object.fromEntries(
  Object.values(rateOptions).map((name) => [
    options[name].flag,
    { value: "N|default", sentence: `${options[name].sentence} For this one alone; default: as for all.` },
  ]),
);

/** Those that flags name; null: the server's. Throws USAGE for what is no limit. */
export function readRates(flags: Invocation["flags"]): Partial<OwnRates> {
  const rates: Partial<OwnRates> = {};
  for (const [bucket, name] of Object.entries(rateOptions) as [Bucket, (typeof rateOptions)[Bucket]][]) {
    const written = flags[options[name].flag];
    if (written === undefined) continue;
    try {
      rates[bucket] = written === "default" ? null : options[name].read(written);
    } catch (error) {
      throw fail("USAGE", {
        reason: `--${options[name].flag} must be "default" or ${(error as Error).message}, not "${written}".`,
      });
    }
  }
  return rates;
}

/** Those that are a customer's own. */
export const ownRates = (rates: OwnRates): Partial<OwnRates> =>
  Object.fromEntries(Object.entries(rates).filter(([, limit]) => limit !== null));

export const ratesText = (rates: Partial<OwnRates>): string =>
  Object.entries(rates)
    .map(([bucket, limit]) => `${bucket} ${limit}`)
    .join(", ");
