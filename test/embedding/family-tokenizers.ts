/**
 * Tokenizer files of the families that sentence embedders come in, in Hugging Face's format as those models ship them, with
 * vocabularies of a few pieces. What each makes of a text can be followed by hand.
 */

export interface FamilyTokenizer {
  /** The file. */
  readonly json: string;
  /** Pieces by id. */
  readonly pieces: readonly string[];
}

const special = (pieces: readonly string[], names: readonly string[]) =>
  names.map((content) => ({
    id: pieces.indexOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));

/** `before` and `after` are put around each text. */
function around(pieces: readonly string[], before: readonly string[], after: readonly string[]) {
  const token = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const text = { Sequence: { id: "A", type_id: 0 } };
  return {
    type: "TemplateProcessing",
    single: [...before.map(token), text, ...after.map(token)],
    pair: [...before.map(token), text, ...after.map(token), { Sequence: { id: "B", type_id: 1 } }],
    special_tokens: Object.fromEntries(
      [...before, ...after].map((id) => [id, { id, ids: [pieces.indexOf(id)], tokens: [id] }]),
    ),
  };
}

const file = (parts: object): string =>
  JSON.stringify({ version: "1.0", truncation: null, padding: null, decoder: null, ...parts });

/** BERT: lower case without accents, punctuation and ideographs apart, the longest known beginning of each word first. */
export function wordPiece(): FamilyTokenizer {
  const pieces = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "un",
    "una",
    "##afford",
    "##able",
    "lock",
    "##s",
    ",",
    "?",
    "水",
    "caf",
    "##e",
  ];
  return {
    pieces,
    json: file({
      added_tokens: special(pieces, ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]),
      normalizer: {
        type: "BertNormalizer",
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      pre_tokenizer: { type: "BertPreTokenizer" },
      post_processor: around(pieces, ["[CLS]"], ["[SEP]"]),
      model: {
        type: "WordPiece",
        unk_token: "[UNK]",
        continuing_subword_prefix: "##",
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
      },
    }),
  };
}

/** XLM-RoBERTa: spaces as ▁, and of all ways to cut a text the one whose pieces' log probabilities sum highest. */
export function unigram(): FamilyTokenizer {
  const scored: [string, number][] = [
    ["<s>", 0],
    ["<pad>", 0],
    ["</s>", 0],
    ["<unk>", 0],
    ["▁query", -3],
    ["▁pass", -4],
    ["age", -4],
    ["▁passage", -9],
    [":", -2],
    ["▁sea", -3],
    ["▁s", -1],
    ["ea", -4],
    ["▁rock", -5],
    ["▁ro", -2],
    ["ck", -2],
    ["▁", -2],
  ];
  const pieces = scored.map(([piece]) => piece);
  return {
    pieces,
    json: file({
      added_tokens: special(pieces, ["<s>", "<pad>", "</s>", "<unk>"]),
      normalizer: { type: "NFKC" },
      pre_tokenizer: {
        type: "Sequence",
        pretokenizers: [
          { type: "WhitespaceSplit" },
          { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true },
        ],
      },
      post_processor: around(pieces, ["<s>"], ["</s>"]),
      model: { type: "Unigram", unk_id: 3, byte_fallback: false, vocab: scored },
    }),
  };
}

/** Qwen2: bytes as letters (a space is Ġ), merged in the order of the list; a text ends with <|endoftext|> and nothing begins it. */
export function byteLevel(): FamilyTokenizer {
  const pieces = [..."seaurockQyINtn:", "Ġ", "Ã", "©", "se", "sea", "Ġr", "ck", "Ġro", "Ġrock", "<|endoftext|>"];
  return {
    pieces,
    json: file({
      added_tokens: special(pieces, ["<|endoftext|>"]),
      normalizer: { type: "NFC" },
      pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: true },
      post_processor: around(pieces, [], ["<|endoftext|>"]),
      model: {
        type: "BPE",
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: "",
        end_of_word_suffix: "",
        fuse_unk: false,
        byte_fallback: false,
        vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
        merges: [
          ["s", "e"],
          ["se", "a"],
          ["Ġ", "r"],
          ["c", "k"],
          ["Ġr", "o"],
          ["Ġro", "ck"],
        ],
      },
    }),
  };
}
