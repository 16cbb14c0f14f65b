/** The parameters of listings in pages. */
import { fieldLimits } from "../../foundation/field-limits.ts";
import type { Schema } from "./json-schema.ts";
import { queryParameter } from "./operation.ts";

export const pageParameters = (limitDescription: string): Schema[] => [
  queryParameter("limit", limitDescription, { type: "integer", ...fieldLimits.pageLimit }),
  queryParameter(
    "cursor",
    "`nextCursor` of the page before, as it is. Whatever comes and goes meanwhile, nothing that stays is shown twice or left out.",
    { type: "string" },
  ),
];
