/** The migrations of `access.db`, carried inside the program. A new one is one more import and one more line. */
import journal from "../../drizzle/access/meta/_journal.json" with { type: "json" };
import initial from "../../drizzle/access/0000_initial.sql" with { type: "text" };
import incarnation from "../../drizzle/access/0001_incarnation.sql" with { type: "text" };
import operatorChanges from "../../drizzle/access/0002_operator_changes.sql" with { type: "text" };
import keyLimits from "../../drizzle/access/0003_key_limits.sql" with { type: "text" };
import customerRates from "../../drizzle/access/0004_customer_rates.sql" with { type: "text" };
import consoleTables from "../../drizzle/access/0005_console.sql" with { type: "text" };
import { orderMigrations } from "../store/migrate.ts";

export const accessMigrations = orderMigrations(journal, {
  "0000_initial": initial,
  "0001_incarnation": incarnation,
  "0002_operator_changes": operatorChanges,
  "0003_key_limits": keyLimits,
  "0004_customer_rates": customerRates,
  "0005_console": consoleTables,
});
