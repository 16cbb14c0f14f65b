/** Passage → sentences, in any language. Pure. */

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Fewer words than this are a heading, a number or a fragment, which says nothing on its own. */
const MIN_WORDS = 4;
/** UTF-16 units; longer "sentences" are tables or code. */
const MAX_LENGTH = 600;

/**
 * The sentences of a passage in reading order, each verbatim but for its white space, which becomes single spaces. Line breaks
 * end a sentence only where an empty line or the sentence rules say so. Passages without any whole sentence give one: their start.
 */
export function splitSentences(passage: string): string[] {
  const sentences: string[] = [];
  for (const paragraph of passage.split(/\n\s*\n/)) {
    const segments = Array.from(segmenter.segment(paragraph.replace(/\s+/g, " ")), ({ segment }) =>
      withoutMarkup(segment.trim()),
    );
    for (const sentence of segments.flatMap(clauses)) {
      if (sentence.length <= MAX_LENGTH && countWords(sentence) >= MIN_WORDS) sentences.push(sentence);
    }
  }
  if (sentences.length > 0) return sentences;
  const start = passage.replace(/\s+/g, " ").trim();
  return start === "" ? [] : [truncate(start)];
}

/** Scripts that mark the end of a sentence by a space, and that of a word not at all. */
const MARKED_BY_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** UTF-16 units of a run of clauses in such a script. */
const CLAUSES_LENGTH = 160;

/** A "sentence" of a script without sentence marks as runs of whole clauses; any other as it is. */
function clauses(sentence: string): string[] {
  if (sentence.length <= CLAUSES_LENGTH || !MARKED_BY_SPACES.test(sentence)) return [sentence];
  const runs: string[] = [];
  let run = "";
  for (const clause of sentence.split(" ")) {
    if (run !== "" && run.length + 1 + clause.length > CLAUSES_LENGTH) {
      runs.push(run);
      run = clause;
    } else {
      run = run === "" ? clause : `${run} ${clause}`;
    }
  }
  return [...runs, run];
}

/** Heading and list signs at the start are no part of what is said. */
function withoutMarkup(sentence: string): string {
  return sentence.replace(/^(?:#{1,6}|[-*•])\s+/, "");
}

/** Counts up to the minimum only. */
function countWords(sentence: string): number {
  let count = 0;
  for (const { isWordLike } of words.segment(sentence)) {
    if (isWordLike && ++count === MIN_WORDS) break;
  }
  return count;
}

/** At most MAX_LENGTH units, cut before a word. */
function truncate(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  let end = 0;
  for (const { index } of words.segment(text)) {
    if (index > MAX_LENGTH) break;
    end = index;
  }
  return text.slice(0, end).trimEnd();
}
