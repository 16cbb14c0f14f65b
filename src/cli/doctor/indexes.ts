/** Whether the saved indexes are whole. They are a cache: damage costs time and no answer. */
import { VECTORS_SHARE, verifySavedIndexes, verifySavedWords } from "../../search/index.ts";
import { good, warning, type Finding } from "./finding.ts";

const SUBJECT = "indexes";

/** Reads every saved index and compares it with its checksums, and its size with the bytes of memory that indexes may take. */
export async function checkIndexes(dataDirectory: string, memoryBytes: number): Promise<Finding[]> {
  const vectors = await verifySavedIndexes(dataDirectory);
  const words = await verifySavedWords(dataDirectory);
  const whole = vectors.whole + words.whole;
  const damaged = [...vectors.damaged, ...words.damaged];
  const large =
    vectors.largest !== null && vectors.largest.bytes > memoryBytes * VECTORS_SHARE ? vectors.largest : null;
  const findings = damaged.map(({ datasetId, reason }) =>
    warning(
      SUBJECT,
      datasetId === null
        ? `the saved indexes cannot be used: ${reason}`
        : `the saved index ${datasetId} cannot be used: ${reason}`,
      "Searches answer as they should: what was saved there is taken from the database. The server makes it anew by itself when it next opens the dataset.",
    ),
  );
  if (large !== null)
    findings.push(
      warning(
        SUBJECT,
        `the vectors of index ${large.datasetId} take ${gibibytes(large.bytes)}, and the memory for indexes has room for ${gibibytes(memoryBytes * VECTORS_SHARE)} of vectors.`,
        "Searches answer as they should; what does not fit is read from the database, which takes longer where the system does not keep that in its cache. --index-memory gives indexes more.",
      ),
    );
  if (findings.length === 0)
    return [
      good(
        SUBJECT,
        whole === 0
          ? "none is saved; small datasets need none."
          : `${whole} saved ${whole === 1 ? "index is" : "indexes are"} whole.`,
      ),
    ];
  return findings;
}

const gibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
