/** Adds files one after another to the data directory it is given and prints each row number once it is stored; ends when killed. */
import { openStore } from "../../../src/store/index.ts";
import { add, sampleFile } from "../samples.ts";

const store = await openStore({ dataDirectory: process.argv[2]! });
for (;;) {
  const { files } = await add(store, [sampleFile()]);
  await Bun.write(Bun.stdout, `${files[0]!.id}\n`);
}
