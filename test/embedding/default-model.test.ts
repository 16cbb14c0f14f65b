/** What the built-in model's files promise: their size, their arithmetic and what is said of them. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openEmbedder, type Embedder } from "../../src/embedding/index.ts";

const folder = join(import.meta.dir, "../../models/default");
const MOST_BYTES = 60_000_000;
const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, at) => sum + value * y[at]!, 0);

describe("the built-in model's files", () => {
  let embedder: Embedder;
  beforeAll(
    async () => void (embedder = await openEmbedder({ modelDirectory: null, threads: 1, maxQueuedTexts: 100 })),
  );
  afterAll(() => embedder.close());

  const embed = async (...texts: string[]) => embedder.embed(texts, "passage", "search");

  test("hold the weights in at most 60 MB", () => {
    const bytes = ["model.onnx", "model.onnx.data"].map((file) => statSync(join(folder, file)).size);
    expect(bytes[0]! + bytes[1]!).toBeLessThanOrEqual(MOST_BYTES);
  });

  test("know over 100 languages, and their card speaks of this version", () => {
    expect(embedder.manifest.languages.length).toBeGreaterThan(100);
    expect(readFileSync(join(folder, "MODEL_CARD.md"), "utf8")).toStartWith(
      `# ${embedder.manifest.name} ${embedder.manifest.version}\n`,
    );
  });

  test("count a token that is repeated c times as √c tokens, inside the graph", async () => {
    // The vector of a text is the unit sum of its tokens' rows: with a and b of one token each, aaaab points to 2a + b.
    const [a, b, ab, aaaab] = (await embed("a", "b", "a b", "a a a a b")) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    // In the plane of a and b, tangent of the angle from a, measured across a's part of b.
    const across = b.map((value, at) => value - dot(a, b) * a[at]!);
    const tangent = (x: Float32Array) => dot(x, across) / Math.sqrt(dot(across, across)) / dot(x, a);
    const share = (x: Float32Array) => {
      const sine = Math.sqrt(dot(across, across));
      return tangent(x) / (sine - dot(a, b) * tangent(x));
    };
    // Centring moves both a little out of that plane.
    expect(share(ab) / share(aaaab)).toBeCloseTo(2, 1);
  });

  test("weigh most what a text begins with, inside the graph; in short ones every token alike", async () => {
    const bees =
      "In spring the bees leave their hive to gather nectar and pollen from the first flowers of the orchard, and the queen lays her eggs in the cells of the comb. ".repeat(
        2,
      );
    const harbour =
      "Ships that enter the harbour lower their speed, keep to the right of the channel and tell the harbour master by radio how many passengers they carry. ".repeat(
        2,
      );
    const [bee, beesFirst, beesLast] = (await embed(bees, bees + harbour, harbour + bees)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    expect(dot(bee, beesFirst)).toBeGreaterThan(dot(bee, beesLast) + 0.1);
    const [forwards, backwards] = (await embed("bees ships", "ships bees")) as [Float32Array, Float32Array];
    expect(dot(forwards, backwards)).toBeCloseTo(1, 5);
  });

  test("read the same from text that Unicode or case writes otherwise", async () => {
    const [plain, wide, upper] = (await embed("ﬁle naïve 12", "file naïve １２", "FILE NAÏVE 12")) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    expect(wide).toEqual(plain);
    expect(upper).toEqual(plain);
  });
});
