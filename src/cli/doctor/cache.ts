/** Whether what was unpacked into the cache folder is what the executable carries. */
import type { Config } from "../../options/config.ts";
import { prepareNative } from "../prepare-native.ts";
import { bad, good, warning, type Finding } from "./finding.ts";

const SUBJECT = "cache";

/** Unpacks what is not there, and hashes every file of what is. What follows must not load a library when this finds no folder to use. */
export async function checkCache(config: Config): Promise<Finding[]> {
  const reasons: string[] = [];
  try {
    await prepareNative(config, { onDistrust: (reason) => reasons.push(reason), everyByte: true });
  } catch (error) {
    return [bad(SUBJECT, (error as Error).message, "The folder must be this user's own, and writable by nobody else.")];
  }
  if (reasons.length === 0) return [good(SUBJECT, "every native library is as it was built.")];
  const mend =
    "Nothing of it was loaded; it is unpacked anew. If nobody of yours has changed it, and this comes again, look at the disk and at who can write there.";
  return reasons.map((reason) => warning(SUBJECT, `what was unpacked is not as it was built: ${reason}.`, mend));
}
