/** When what is saved of a dataset's vectors is made anew or extended. */
import { describe, expect, test } from "bun:test";
import { isCompactedAtOnce, plannedBuild } from "../../../src/search/vectors/build-plan.ts";
import type { SearchSettings } from "../../../src/search/types.ts";

const settings = { modelId: "m", dimensions: 4, parameters: {}, dataDirectory: "/d", graphLimit: 100_000 };

function planned(
  { rows, live = rows, saved = 0, graph = 0 }: { rows: number; live?: number; saved?: number; graph?: number },
  isTrusted = true,
) {
  const index = {
    matrix: { rows },
    liveRows: live,
    deadShare: 1 - live / rows,
    savedRows: saved,
    graphRows: graph,
    liveChunkIds: (from: number) => Float64Array.from({ length: Math.max(0, live - from) }, (_, at) => from + at + 1),
  };
  if (isCompactedAtOnce(index)) return "compacted at once";
  const job = plannedBuild(7, index, settings as unknown as SearchSettings, isTrusted);
  return job && { base: job.base, savedRows: job.savedRows, chunks: job.chunkIds.length, graph: job.graph };
}

describe("a dataset with", () => {
  test.each<[string, ReturnType<typeof planned>, unknown]>([
    ["few rows is not saved", planned({ rows: 8191 }), null],
    ["enough rows is", planned({ rows: 8192 }), { base: "nothing", savedRows: 0, chunks: 8192, graph: false }],
    ["few more rows than are saved is left", planned({ rows: 18_191, saved: 10_000 }), null],
    [
      "many more is extended",
      planned({ rows: 18_192, saved: 10_000 }),
      { base: "checkpoint", savedRows: 10_000, chunks: 8192, graph: false },
    ],
    ["a million rows is extended for more", planned({ rows: 1_030_000, saved: 1_000_000, graph: 1_030_000 }), null],
    [
      "32,768 beyond a million",
      planned({ rows: 1_032_768, saved: 1_000_000, graph: 1_032_768 }),
      { base: "checkpoint", savedRows: 1_000_000, chunks: 32_768, graph: false },
    ],
    [
      "a checkpoint that cannot be built upon is made anew",
      planned({ rows: 18_192, saved: 10_000 }, false),
      { base: "nothing", savedRows: 0, chunks: 18_192, graph: false },
    ],
    [
      "a quarter of dead rows is made anew without them",
      planned({ rows: 40_000, live: 29_000, saved: 40_000 }),
      { base: "nothing", savedRows: 0, chunks: 29_000, graph: false },
    ],
    ["fewer dead rows is left", planned({ rows: 40_000, live: 31_000, saved: 40_000 }), null],
    [
      "next to nothing alive is compacted at once",
      planned({ rows: 40_000, live: 10, saved: 40_000 }),
      "compacted at once",
    ],
    [
      "more rows than the graph's limit gets one",
      planned({ rows: 100_001, saved: 100_001 }),
      { base: "checkpoint", savedRows: 100_001, chunks: 0, graph: true },
    ],
    ["a graph that is near enough is left", planned({ rows: 100_001, saved: 100_001, graph: 95_000 }), null],
  ])("%s", (_what, plan, expected) => {
    expect(plan).toEqual(expected as ReturnType<typeof planned>);
  });
});
