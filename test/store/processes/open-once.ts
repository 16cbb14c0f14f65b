/** Opens the data directory it is given, adds one file, and closes it. */
import { openStore } from "../../../src/store/index.ts";
import { add, sampleFile } from "../samples.ts";

const store = await openStore({ dataDirectory: process.argv[2]! });
await add(store, [sampleFile()]);
await store.close();
