/** Where chunks stand, and what documents say of themselves: kept, found by filters, and gone with them. */
import { afterEach, describe, expect, test } from "bun:test";
import { documentFaults } from "../../src/cli/doctor/consistency.ts";
import type { PassagePlace } from "../../src/foundation/place.ts";
import { documentsDatabasePath, openExisting, openReading } from "../../src/store/database.ts";
import type { MetadataFilter, NewFile, Store } from "../../src/store/index.ts";
import { leaveWithoutPlaces } from "./earlier-schemas.ts";
import { add, cleanUp, deleteWhole, emptyStore, sampleFile } from "./samples.ts";

afterEach(cleanUp);

const handbook = (values: Partial<NewFile> = {}): NewFile => placed(handbookPlaces, values);
const handbookPlaces: PassagePlace[] = [
  { page: 1, heading: "Handbook" },
  { page: 1, lastPage: 4, heading: "Handbook › Overtime" },
  { page: 4, heading: "Handbook › Rest" },
  {},
];

function placed(places: readonly PassagePlace[], values: Partial<NewFile> = {}): NewFile {
  return sampleFile({
    chunkCount: places.length,
    notes: places.map((place, at) => ({ place, contextLength: at })),
    ...values,
  });
}

/** Chunk ids that match. */
async function matching(store: Store, ...filters: MetadataFilter[]): Promise<number[]> {
  return (await store.matching(store.dataset("acme", "letters")!, filters)).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
}

function faultsOf(dataDirectory: string): string[] {
  using database = openReading(documentsDatabasePath(dataDirectory));
  return documentFaults(database);
}

function attributeRows(dataDirectory: string): number {
  using database = openReading(documentsDatabasePath(dataDirectory));
  return database.query<{ rows: number }, []>("SELECT count(*) AS rows FROM chunkAttributes").get()!.rows;
}

test("a chunk keeps its place and the length of its context", async () => {
  const { store } = await emptyStore();
  await add(store, [handbook(), sampleFile()]);
  const chunks = [...store.chunks([1, 2, 4, 5]).values()].map(({ place, contextLength }) => ({ place, contextLength }));
  expect(chunks).toEqual([
    { place: handbookPlaces[0]!, contextLength: 0 },
    { place: handbookPlaces[1]!, contextLength: 1 },
    { place: {}, contextLength: 3 },
    { place: {}, contextLength: 0 },
  ]);
});

describe("a filter on", () => {
  test.each<[string, MetadataFilter[], number[]]>([
    ["a page finds what begins there and what reaches into it", [{ key: "page", value: 1 }], [1, 2]],
    ["a page in the middle of a span finds the span", [{ key: "page", value: 3 }], [2]],
    ["the last page of a span finds it", [{ key: "page", value: 4 }], [2, 3]],
    ["a page of another type finds nothing", [{ key: "page", value: "1" }], []],
    ["a heading finds what stands under it, and not below", [{ key: "heading", value: "Handbook › Overtime" }], [2]],
    [
      "two fields finds what matches both",
      [
        { key: "page", value: 4 },
        { key: "heading", value: "Handbook › Rest" },
      ],
      [3],
    ],
    ["a title finds all of the document", [{ key: "title", value: "The handbook" }], [1, 2, 3, 4]],
    ["what extraMeta says of it otherwise finds nothing", [{ key: "title", value: "Scan 17" }], []],
    ["a place that only extraMeta knows finds the document", [{ key: "sheet", value: "A" }], [1, 2, 3, 4]],
    ["a place that only some chunks have finds the others by extraMeta", [{ key: "page", value: 99 }], [4]],
    ["any of several pages finds each chunk once", [{ key: "page", any: [1, 2, 99] }], [1, 2, 4]],
    ["not a page leaves out what reaches into it", [{ key: "page", not: [4] }], [1, 4]],
    ["not a heading finds what has none, too", [{ key: "heading", not: ["Handbook"] }], [2, 3, 4]],
    ["pages from one on finds what reaches into them", [{ key: "page", range: { gte: 3, lt: 99 } }], [2, 3]],
    ["pages up to one finds what begins before", [{ key: "page", range: { lte: 2 } }], [1, 2]],
    ["pages beyond all, of which extraMeta speaks", [{ key: "page", range: { gt: 50 } }], [4]],
    ["a range of headings", [{ key: "heading", range: { gt: "Handbook", lt: "Handbook › R" } }], [2]],
    ["a range of a place that only extraMeta knows", [{ key: "sheet", range: { gte: "A", lte: "A" } }], [1, 2, 3, 4]],
    ["a range of titles", [{ key: "title", range: { gte: "The" } }], [1, 2, 3, 4]],
  ])("%s", async (_what, filters, expected) => {
    const { store } = await emptyStore();
    await add(store, [
      handbook({
        properties: { title: "The handbook" },
        extraMeta: { title: "Scan 17", sheet: "A", page: 99 },
      }),
    ]);
    await add(store, [handbook({ extraMeta: { page: 99 } })], { datasetName: "other" });
    expect(await matching(store, ...filters)).toEqual(expected);
  });

  test("times compares fractions of a second, and what extraMeta says where a chunk has none", async () => {
    const { store } = await emptyStore();
    const times = [0, 4.25, 61.5, 100].map((startTime) => ({ startTime }));
    await add(store, [placed([...times, {}], { extraMeta: { startTime: 70.5 } })]);
    expect(await matching(store, { key: "startTime", range: { gt: 4.2, lt: 61.6 } })).toEqual([2, 3]);
    expect(await matching(store, { key: "startTime", range: { gte: 61.5 } })).toEqual([3, 4, 5]);
    await add(store, [placed([{ startTime: 65.75 }])]);
    expect(await matching(store, { key: "startTime", range: { gte: 61.5 } })).toEqual([3, 4, 5, 6]);
  });

  test("a place sees files that came after it was asked", async () => {
    const { store } = await emptyStore();
    await add(store, [handbook()]);
    expect(await matching(store, { key: "page", value: 4 })).toEqual([2, 3]);
    await add(store, [handbook()]);
    expect(await matching(store, { key: "page", value: 4 })).toEqual([2, 3, 6, 7]);
  });
});

describe("what a deletion leaves of places is nothing,", () => {
  test.each<[string, number]>([
    ["at once", 1],
    ["in steps", 100],
  ])("%s", async (_how, copies) => {
    const { store, dataDirectory } = await emptyStore();
    const places = Array.from({ length: copies }, () => handbookPlaces).flat();
    const { files } = await add(store, [placed(places, { extraMeta: { page: 99 }, properties: { title: "T" } })]);
    expect(attributeRows(dataDirectory)).toBeGreaterThan(0);
    expect(faultsOf(dataDirectory)).toEqual([]);
    await deleteWhole(store, files[0]!);
    expect(attributeRows(dataDirectory)).toBe(0);
    expect(faultsOf(dataDirectory)).toEqual([]);
  });
});

test("a place that filters do not know is told of", async () => {
  const { store, dataDirectory } = await emptyStore();
  await add(store, [handbook()]);
  await store.close();
  {
    using database = openExisting(documentsDatabasePath(dataDirectory));
    database.run("DELETE FROM chunkAttributes WHERE chunkId = 3");
  }
  expect(faultsOf(dataDirectory)).toEqual([expect.stringContaining("2 missing")]);
});

test("a database of the version before is brought up to it, and its chunks stand nowhere", async () => {
  const { store, dataDirectory } = await emptyStore();
  await add(store, [sampleFile({ extraMeta: { page: 7 } })]);
  await store.close();
  leaveWithoutPlaces(dataDirectory);

  const { store: again } = await emptyStore({ dataDirectory });
  expect(again.chunks([1]).get(1)).toMatchObject({ text: "passage 0", place: {}, contextLength: 0 });
  expect(await matching(again, { key: "page", value: 7 })).toEqual([1, 2]);
  expect(faultsOf(dataDirectory)).toEqual([]);
});
