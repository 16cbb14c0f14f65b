/** Opens the data directory it is given and prints the signature of one text. */
import { openAccess } from "../../../src/access/index.ts";

const access = openAccess({ dataDirectory: process.argv[2]!, limits: { upload: 1, retrieval: 1, token: 1, free: 1 } });
await Bun.write(Bun.stdout, access.sign("text"));
access.close();
