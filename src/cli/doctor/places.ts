/** Whether everything in the data directory is a file or a folder, as it should be. */
import { misplacedEntries } from "../../data-directory/places.ts";
import { bad, warning, type Finding } from "./finding.ts";

/** Nothing where all is in its place. */
export function checkPlaces(dataDirectory: string): Finding[] {
  return misplacedEntries(dataDirectory).map(({ sentence, mend, needed }) =>
    (needed ? bad : warning)("data directory", sentence, `Stop the server. ${mend}`),
  );
}
