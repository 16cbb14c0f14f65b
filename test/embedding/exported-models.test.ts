/**
 * Exports as they are published work by a manifest alone: BERT, XLM-RoBERTa and decoder models, each with its own kind of tokenizer,
 * in every form in which weights come. Token ids are worked out by hand, vectors from the table's rows.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openEmbedder, openTokenCounter, verifyModelFiles, type Embedder } from "../../src/embedding/index.ts";
import { readManifest } from "../../src/embedding/model-folder.ts";
import { byteLevel, unigram, wordPiece, type FamilyTokenizer } from "./family-tokenizers.ts";
import { keptAs, rowOfId, writeTinyModel, type TinyModel, type Weights } from "./tiny-model.ts";

const opened: { embedder?: Embedder; folder: string }[] = [];
afterEach(async () => {
  for (const { embedder, folder } of opened.splice(0)) {
    await embedder?.close();
    rmSync(folder, { recursive: true });
  }
});

async function open(model: TinyModel): Promise<Embedder> {
  const entry: { embedder?: Embedder; folder: string } = { folder: writeTinyModel(model) };
  opened.push(entry);
  entry.embedder = await openEmbedder({ modelDirectory: entry.folder, threads: 1, maxQueuedTexts: 100 });
  return entry.embedder;
}

interface Expected {
  readonly kind: "query" | "passage";
  readonly text: string;
  /** Everything that the model should read, special tokens included. */
  readonly reads: readonly string[];
}

interface Family {
  readonly name: string;
  readonly tokenizer: FamilyTokenizer;
  readonly model: Omit<TinyModel, "tokenizer">;
  readonly expected: readonly Expected[];
}

const bert = wordPiece();
const xlmRoberta = unigram();
const qwen = byteLevel();

const families: Family[] = [
  {
    name: "BERT with mean pooling (sentence-transformers)",
    tokenizer: bert,
    model: { pooling: "mean", tokenTypes: true, manifest: { maxTokens: 32 } },
    expected: [
      // The longest known beginning is "una", from which "##ffordable" leads nowhere: the word is unknown as a whole.
      {
        kind: "passage",
        text: "Unaffordable LOCKS, 水?",
        reads: ["[CLS]", "[UNK]", "lock", "##s", ",", "水", "?", "[SEP]"],
      },
      { kind: "query", text: "café", reads: ["[CLS]", "caf", "##e", "[SEP]"] },
    ],
  },
  {
    name: "BERT with CLS pooling and an instruction before queries (bge)",
    tokenizer: bert,
    model: { pooling: "cls", tokenTypes: true, positions: true, manifest: { maxTokens: 32, queryPrefix: "Un lock: " } },
    expected: [
      { kind: "passage", text: "locks", reads: ["[CLS]", "lock", "##s", "[SEP]"] },
      { kind: "query", text: "locks", reads: ["[CLS]", "un", "lock", "[UNK]", "lock", "##s", "[SEP]"] },
    ],
  },
  {
    name: "XLM-RoBERTa with mean pooling and both prefixes (multilingual-e5)",
    tokenizer: xlmRoberta,
    model: {
      pooling: "mean",
      manifest: {
        maxTokens: 32,
        queryPrefix: "query: ",
        passagePrefix: "passage: ",
        padding: { side: "right", tokenId: 1 },
      },
    },
    expected: [
      // "▁pass" and "age" (-8) beat "▁passage" (-9); "▁sea" (-3) beats "▁s" and "ea" (-5); "▁ro" and "ck" (-4) beat "▁rock" (-5).
      { kind: "query", text: "sea", reads: ["<s>", "▁query", ":", "▁sea", "</s>"] },
      { kind: "passage", text: "sea  rock", reads: ["<s>", "▁pass", "age", ":", "▁sea", "▁ro", "ck", "</s>"] },
    ],
  },
  {
    name: "a decoder with last-token pooling and left padding (gte-Qwen2)",
    tokenizer: qwen,
    model: {
      pooling: "last",
      positions: true,
      manifest: {
        maxTokens: 32,
        queryPrefix: "Query:",
        padding: { side: "left", tokenId: qwen.pieces.indexOf("<|endoftext|>") },
      },
    },
    expected: [
      { kind: "passage", text: "sea rock", reads: ["sea", "Ġrock", "<|endoftext|>"] },
      { kind: "passage", text: "é", reads: ["Ã", "©", "<|endoftext|>"] },
      { kind: "query", text: "sea", reads: ["Q", "u", "e", "r", "y", ":", "sea", "<|endoftext|>"] },
    ],
  },
];

const unit = (vector: number[]): number[] => vector.map((value) => value / Math.hypot(...vector));

/** What the pooling makes of the rows of what is read, each with its position added where the graph does so. */
function vectorOf({ tokenizer, model }: Family, weights: Weights, reads: readonly string[]): number[] {
  const rows = reads.map((piece, position) =>
    rowOfId(tokenizer.pieces.indexOf(piece)).map((value) => keptAs(weights, value) + (model.positions ? position : 0)),
  );
  if (model.pooling === "cls") return unit(rows[0]!);
  if (model.pooling === "last") return unit(rows.at(-1)!);
  return unit(rows[0]!.map((_, axis) => rows.reduce((sum, row) => sum + row[axis]!, 0)));
}

for (const family of families) {
  describe(family.name, () => {
    for (const weights of ["float", "float16", "int8", "external"] as const) {
      test(`reads and pools what it should, with ${weights} weights`, async () => {
        const embedder = await open({ ...family.model, tokenizer: family.tokenizer, weights });
        for (const kind of ["query", "passage"] as const) {
          const own = family.expected.filter((one) => one.kind === kind);
          // Together, so that the shorter ones are padded.
          const vectors = await embedder.embed(
            own.map(({ text }) => text),
            kind,
            "upload",
          );
          own.forEach(({ reads }, at) =>
            vectorOf(family, weights, reads).forEach((value, axis) => expect(vectors[at]![axis]).toBeCloseTo(value, 4)),
          );
        }
      });
    }

    test("cuts documents by its own tokens, its special tokens and prefix taken off", async () => {
      const folder = writeTinyModel({ ...family.model, tokenizer: family.tokenizer });
      opened.push({ folder });
      const counter = await openTokenCounter({ modelDirectory: folder });
      const special = family.tokenizer === qwen ? 1 : 2;
      const prefix = family.model.manifest?.passagePrefix === "passage: " ? 3 : 0;
      expect(counter.maxTokens).toBe(32 - special - prefix);
      const { text, reads } = family.expected.find(({ kind }) => kind === "passage")!;
      expect(await counter.offsets(text)).toHaveLength(reads.length - special - prefix);
    });
  });
}

test("weights in a file of their own are part of the model: verified, and of its identity", async () => {
  const folder = writeTinyModel({ pooling: "mean", weights: "external" });
  opened.push({ folder });
  const manifest = await readManifest(folder);
  expect(Object.keys(manifest.files)).toContain("model.onnx_data");
  await verifyModelFiles(folder, manifest);
  truncateSync(join(folder, "model.onnx_data"), 100);
  expect(
    await openEmbedder({ modelDirectory: folder, threads: 1, maxQueuedTexts: 1 }).catch(
      (error: Error) => error.message,
    ),
  ).toContain("model.onnx_data is damaged");
});
