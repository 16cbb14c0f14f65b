/** Whether the saved indexes are whole. They are a cache: damage costs time and no answer. */
import { verifySavedIndexes, verifySavedWords } from "../../search/index.ts";
import { good, warning, type Finding } from "./finding.ts";

const SUBJECT = "indexes";

/** Reads every saved index and compares it with its checksums. */
export async function checkIndexes(dataDirectory: string): Promise<Finding[]> {
  const vectors = await verifySavedIndexes(dataDirectory);
  const words = await verifySavedWords(dataDirectory);
  const whole = vectors.whole + words.whole;
  const damaged = [...vectors.damaged, ...words.damaged];
  if (damaged.length === 0)
    return [
      good(
        SUBJECT,
        whole === 0
          ? "none is saved; small datasets need none."
          : `${whole} saved ${whole === 1 ? "index is" : "indexes are"} whole.`,
      ),
    ];
  return damaged.map(({ datasetId, reason }) =>
    warning(
      SUBJECT,
      datasetId === null
        ? `the saved indexes cannot be used: ${reason}`
        : `the saved index ${datasetId} cannot be used: ${reason}`,
      "Searches answer as they should: what was saved there is taken from the database. The server makes it anew by itself when it next opens the dataset.",
    ),
  );
}
