/** Tells a dataset that is not there from one in which nothing was found. */
import { fail } from "../foundation/errors.ts";
import type { DatasetRecord, StoredDocuments } from "./stored-documents.ts";

/** Throws OPERATION_FAILED where there is no such dataset, or no file in it. */
export async function requireDataset(
  service: Pick<StoredDocuments, "datasets">,
  datasetId: string,
): Promise<DatasetRecord> {
  for await (const dataset of service.datasets()) if (dataset.datasetId === datasetId) return dataset;
  throw fail("OPERATION_FAILED", {
    reason: `There is no dataset "${datasetId}", or no file in it. \`lectern dataset list\` shows what there is.`,
  });
}

/** "1 file", "3 passages". */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** The option of every command that works for one customer. */
export const customerFlag = {
  customer: {
    value: "ID",
    sentence: "Whose dataset; may be left out when there is only one customer, or one called default.",
  },
} as const;
