/** Makes so many keys of the customer `acme`, one after the other: `make-keys.ts DATA_DIRECTORY COUNT`. */
import { openAccess } from "../../../src/access/index.ts";

const [dataDirectory, count] = process.argv.slice(2);
const access = openAccess({ dataDirectory: dataDirectory!, limits: { upload: 1, retrieval: 1, token: 1, free: 1 } });
for (let made = 0; made < Number(count); made++) access.createApiKey("acme", null);
access.close();
