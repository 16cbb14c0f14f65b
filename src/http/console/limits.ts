/** What the fields of the console's own requests may hold. Lengths are in UTF-16 units. */
import { INVITATION_DAYS, PASSWORD_LIMITS } from "../../access/index.ts";

export const consoleLimits = {
  password: PASSWORD_LIMITS,
  /** Days of usage that are shown. */
  usageDays: { minimum: 1, maximum: 400 },
  invitationDays: INVITATION_DAYS,
  /** Of an API key, for its owner. */
  keyName: { maxLength: 200 },
  /** Requests or files a minute. */
  rate: { minimum: 1, maximum: 1_000_000_000 },
  /** Credits; they have three decimals at most. */
  credits: { minimum: 0, maximum: 1e12 },
  /** Lines of the log that are shown. */
  logLines: { minimum: 1, maximum: 5000 },
  /** Files that are to be read, and as many that could not be. */
  jobs: { maximum: 500 },
} as const;
