/** What a deletion leaves on the disk: no text, and no space; for databases of earlier versions too, once they are written anew. */
import { afterEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { compactDocuments } from "../../src/store/compact.ts";
import { documentsDatabasePath, openReading } from "../../src/store/database.ts";
import { until } from "../harness.ts";
import { add, cleanUp, deleteWhole, emptyStore, sampleFile, temporaryFolder } from "./samples.ts";

afterEach(cleanUp);

const MEBIBYTE = 1024 ** 2;

const holds = (directory: string, text: string): boolean =>
  readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(text));
const bytes = (directory: string): number =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
const longTexts = (word: string) =>
  sampleFile({
    chunkCount: 2000,
    chunks: Array.from({ length: 2000 }, (_, index) => `${word} ${index} ${"x".repeat(2000)}`),
  });

describe("deleting", () => {
  test("takes the texts off the disk and gives the space back, while the store is open", async () => {
    const { store, dataDirectory } = await emptyStore();
    const {
      files: [gone],
    } = await add(store, [longTexts("vanishing")]);
    await add(store, [sampleFile()]);
    await deleteWhole(store, gone!);
    await until(() => !holds(dataDirectory, "vanishing") && bytes(dataDirectory) < MEBIBYTE, 30_000);
    expect(store.statistics()).toEqual({ datasets: 1, files: 1, chunks: 2 });
  });

  test("does so as soon as a reader that looks at the old state has ended", async () => {
    const { store, dataDirectory } = await emptyStore();
    const {
      files: [gone],
    } = await add(store, [longTexts("vanishing")]);
    const reader = openReading(documentsDatabasePath(dataDirectory));
    reader.run("BEGIN");
    reader.query("SELECT count(*) FROM chunks").get();
    await deleteWhole(store, gone!);
    await add(store, [sampleFile()]);
    expect(holds(dataDirectory, "vanishing")).toBe(true);
    reader.run("COMMIT");
    await until(() => !holds(dataDirectory, "vanishing") && bytes(dataDirectory) < MEBIBYTE, 30_000);
    reader.close();
  });

  test("is made up for by the next process where one ended before it", async () => {
    const { store, dataDirectory } = await emptyStore();
    const {
      files: [gone],
    } = await add(store, [longTexts("vanishing")]);
    // At once: nothing but the commit has happened.
    await deleteWhole(store, gone!);
    await store.close();
    expect(holds(dataDirectory, "vanishing")).toBe(false);
    await emptyStore({ dataDirectory });
    await until(() => bytes(dataDirectory) < MEBIBYTE, 30_000);
  });
});

describe("a database of an earlier version, which could not give back space", () => {
  /** With a deleted text in so many mebibytes of free pages. */
  function olden(size: number): string {
    const dataDirectory = temporaryFolder();
    using database = new Database(documentsDatabasePath(dataDirectory));
    database.run("PRAGMA page_size = 16384");
    database.run("CREATE TABLE old (text)");
    for (let index = 0; index < size; index++)
      database.run("INSERT INTO old VALUES (?)", ["vanishing ".repeat(MEBIBYTE / 10)]);
    database.run("DROP TABLE old");
    return dataDirectory;
  }

  test("is written anew at the start where it is small", async () => {
    const dataDirectory = olden(3);
    expect(holds(dataDirectory, "vanishing")).toBe(true);
    const { store } = await emptyStore({ dataDirectory });
    expect(holds(dataDirectory, "vanishing")).toBe(false);
    const {
      files: [gone],
    } = await add(store, [longTexts("another")]);
    await deleteWhole(store, gone!);
    await until(() => bytes(dataDirectory) < MEBIBYTE, 30_000);
  });

  test("is left as it is where it is large, until it is compacted", async () => {
    const dataDirectory = olden(70);
    const { store } = await emptyStore({ dataDirectory });
    await add(store, [sampleFile()]);
    await store.close();
    expect(bytes(dataDirectory)).toBeGreaterThan(64 * MEBIBYTE);
    const { before, after } = compactDocuments(dataDirectory);
    expect([before > 64 * MEBIBYTE, after < MEBIBYTE, holds(dataDirectory, "vanishing")]).toEqual([true, true, false]);
    expect((await emptyStore({ dataDirectory })).store.statistics()).toEqual({ datasets: 1, files: 1, chunks: 2 });
  });
});
