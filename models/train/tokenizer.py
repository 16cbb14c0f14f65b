"""Makes tokenizer.json: a unigram vocabulary of 64,000 pieces with byte fallback, over text in NFKC and lower case.

    python3 tokenizer.py PAIRS_FOLDER TOKENIZER_JSON

Draws a sample in which every language has its share, has SentencePiece (Debian's `sentencepiece`) choose the pieces, and
writes them in the format of Hugging Face's `tokenizers`. Ids of that library are the ones that count: encode.ts uses it for
training, so that small differences to SentencePiece (a tab, a Greek final sigma) cannot matter. A new vocabulary needs
training from "random"."""

import collections
import glob
import json
import os
import random
import subprocess
import sys
import tempfile
import unicodedata

VOCABULARY = 64000
SEED = 1
# Languages with more characters than this are thinned to MANY * (n / MANY) ** THINNING.
MANY, THINNING = 1.0e6, 0.42
ENGLISH = 12e6
WIDELY_READ = {"de", "fr", "es", "it", "pt", "ru", "zh", "ja", "ko", "ar", "nl", "pl"}
WIDELY_READ_AT_LEAST = 5e6
WORD_LISTS, WORD_LIST_SHARE = ("freedict", "cldr"), 0.4
LONGEST_LINE = 1500


def rows(path: str):
    with open(path, encoding="utf8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 3:
                yield fields


def normalised(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()[:LONGEST_LINE]


def write_sample(folder: str, out) -> None:
    paths = sorted(glob.glob(os.path.join(folder, "*.tsv")))
    characters: collections.Counter = collections.Counter()
    for path in paths:
        for language, english, other in rows(path):
            characters[language] += len(other)
            characters["en"] += len(english)
    wanted = {lang: MANY * (n / MANY) ** THINNING if n > MANY else n for lang, n in characters.items()}
    wanted.update({lang: max(wanted.get(lang, 0), WIDELY_READ_AT_LEAST) for lang in WIDELY_READ}, en=ENGLISH)
    chance = {lang: wanted[lang] / max(n, 1) for lang, n in characters.items()}
    draw = random.Random(SEED).random
    for path in paths:
        share = WORD_LIST_SHARE if os.path.basename(path).startswith(WORD_LISTS) else 1.0
        for language, english, other in rows(path):
            if draw() < share * chance[language]:
                out.write(normalised(other) + "\n")
            if english and draw() < share * chance["en"]:
                out.write(normalised(english) + "\n")


def choose_pieces(sample: str, prefix: str) -> list[tuple[str, float]]:
    """Pieces with their scores, in the order of their ids."""
    options = {
        "input": sample,
        "model_prefix": prefix,
        "model_type": "unigram",
        "vocab_size": VOCABULARY,
        "character_coverage": 0.9998,
        "byte_fallback": "true",
        "normalization_rule_name": "identity",
        "pad_id": 0,
        "unk_id": 1,
        "bos_id": -1,
        "eos_id": -1,
        "pad_piece": "<pad>",
        "unk_piece": "<unk>",
        "input_sentence_size": 3_000_000,
        "shuffle_input_sentence": "true",
        "num_threads": os.cpu_count(),
    }
    subprocess.run(["spm_train", *(f"--{key}={value}" for key, value in options.items())], check=True)
    with open(prefix + ".vocab", encoding="utf8") as file:
        return [(piece, float(score)) for piece, score in (line.rstrip("\n").split("\t") for line in file)]


def tokenizer(pieces: list[tuple[str, float]]) -> dict:
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    blanks = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": number, "content": piece, **special} for number, piece in enumerate(("<pad>", "<unk>"))],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "NFKC"},
                {"type": "Lowercase"},
                {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "},
                {"type": "Strip", "strip_left": True, "strip_right": True},
            ],
        },
        "pre_tokenizer": blanks,
        "post_processor": None,
        "decoder": blanks,
        "model": {"type": "Unigram", "unk_id": 1, "vocab": pieces, "byte_fallback": True},
    }


if __name__ == "__main__":
    source, target = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        sample = os.path.join(scratch, "sample.txt")
        with open(sample, "w", encoding="utf8") as out:
            write_sample(source, out)
        made = tokenizer(choose_pieces(sample, os.path.join(scratch, "pieces")))
    with open(target, "w", encoding="utf8") as out:
        json.dump(made, out, ensure_ascii=False)
