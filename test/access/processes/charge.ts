/** Tries so many charges of 0.1 credit and prints how many passed: `charge.ts DATA_DIRECTORY CUSTOMER COUNT`. */
import { openAccess } from "../../../src/access/index.ts";
import { LecternError } from "../../../src/foundation/errors.ts";

const [dataDirectory, customerId, count] = process.argv.slice(2);
const access = openAccess({ dataDirectory: dataDirectory!, limits: { upload: 1, retrieval: 1, token: 1, free: 1 } });
let passed = 0;
for (let i = 0; i < Number(count); i++) {
  try {
    access.charge(customerId!, 100, "search");
    passed++;
  } catch (error) {
    if (!(error instanceof LecternError && error.code === "INSUFFICIENT_CREDITS")) throw error;
  }
}
access.close();
await Bun.write(Bun.stdout, String(passed));
