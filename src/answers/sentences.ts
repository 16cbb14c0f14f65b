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
    for (const { segment } of segmenter.segment(paragraph.replace(/\s+/g, " "))) {
      const sentence = withoutMarkup(segment.trim());
      if (sentence.length <= MAX_LENGTH && countWords(sentence) >= MIN_WORDS) sentences.push(sentence);
    }
  }
  if (sentences.length > 0) return sentences;
  const start = passage.replace(/\s+/g, " ").trim();
  return start === "" ? [] : [truncate(start)];
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
