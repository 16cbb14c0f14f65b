/** Takes moments of a data directory, one after the other, and prints for how long each held up writers: `take-moments.ts DIRECTORY COUNT`. */
import { takeMoment } from "../../../src/backup/moment.ts";

const [directory, count] = process.argv.slice(2) as [string, string];
for (let taken = 0; taken < Number(count); ) {
  using moment = takeMoment(directory, { file: Number.MAX_SAFE_INTEGER, job: Number.MAX_SAFE_INTEGER });
  if (moment === null) continue;
  taken++;
  console.log(moment.held);
}
