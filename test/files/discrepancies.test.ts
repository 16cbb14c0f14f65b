/** What each difference between stored bytes and database means. */
import { expect, test } from "bun:test";
import { findDiscrepancies } from "../../src/files/index.ts";

const nothing = { toConfirm: [], unfinished: [], toDelete: [], returned: [], leftovers: [], unknown: [], missing: [] };

test.each([
  // known to the database, kept by it to be cleared up, on the list of deletions, on disk as stored, as unconfirmed, with a record → what is to be done
  ["a stored file", { known: true, stored: true, recorded: true }, {}],
  ["a stored file of an older version, without a record", { known: true, stored: true }, {}],
  [
    "committed, and killed before it got its name",
    { known: true, unconfirmed: true, recorded: true },
    { toConfirm: ["f"] },
  ],
  ["killed before it was committed", { unconfirmed: true, recorded: true }, { unfinished: ["f"] }],
  ["killed before its bytes were there", { recorded: true }, { leftovers: ["f"] }],
  [
    "deleted, and killed before its bytes were gone",
    { deleted: true, stored: true, recorded: true },
    { leftovers: ["f"] },
  ],
  ["deleted before it was confirmed", { deleted: true, unconfirmed: true }, { leftovers: ["f"] }],
  [
    "noted as deleted, and killed before the database forgot it",
    { known: true, deleted: true, stored: true },
    { toDelete: ["f"] },
  ],
  ["brought back by an older database, its bytes long gone", { known: true, deleted: true }, { returned: ["f"] }],
  ["a document that the database has lost", { stored: true, recorded: true }, { unknown: ["f"] }],
  ["a document whose bytes are lost", { known: true, recorded: true }, { missing: ["f"] }],
  ["long gone", { deleted: true }, {}],
  [
    "deleted at once with many, and not cleared up yet",
    { discarded: true, deleted: true, stored: true, recorded: true },
    {},
  ],
  ["the same, killed before it was noted", { discarded: true, stored: true, recorded: true }, {}],
  ["the same, killed before it was confirmed", { discarded: true, unconfirmed: true, recorded: true }, {}],
  ["the same, its bytes gone", { discarded: true, deleted: true }, {}],
] as [
  string,
  Partial<Record<"known" | "discarded" | "deleted" | "stored" | "unconfirmed" | "recorded", true>>,
  Record<string, string[]>,
][])("%s", (_name, places, expected) => {
  const setOf = (place: keyof typeof places): Set<string> => new Set(places[place] ? ["f"] : []);
  expect(
    findDiscrepancies(
      { known: setOf("known"), discarded: setOf("discarded"), deleted: setOf("deleted") },
      { stored: setOf("stored"), unconfirmed: setOf("unconfirmed"), recorded: setOf("recorded") },
    ),
  ).toEqual({ ...nothing, ...expected });
});
