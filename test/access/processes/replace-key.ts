/** Revokes a key and prints a new one of the customer `acme`: `replace-key.ts DATA_DIRECTORY KEY_ID`. */
import { openAccess } from "../../../src/access/index.ts";

const [dataDirectory, keyId] = process.argv.slice(2);
const access = openAccess({ dataDirectory: dataDirectory!, limits: { upload: 1, retrieval: 1, token: 1, free: 1 } });
access.revokeApiKey(keyId!);
await Bun.write(Bun.stdout, access.createApiKey("acme", null).apiKey);
access.close();
