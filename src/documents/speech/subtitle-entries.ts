/** What was said in a stretch, as subtitles: sentences, in pieces that can be read while they are shown, with their times. */
import type { SubtitleEntry } from "../types.ts";
import type { SpokenPiece } from "./speech-model.ts";
import type { Stretch } from "./stretches.ts";

/** Two lines of 42 characters, the measure of subtitles. */
const MOST_CHARACTERS = 84;
const MOST_SECONDS = 7;
/** A silence this long, near where a sentence is believed to end, is where it ends. */
const LEAST_SILENCE = 0.15;
const NEAR_SECONDS = 1.2;
/** A digit stands for a word. */
const DIGIT_WEIGHT = 4;
/** How much further from its middle a sentence is parted at a comma than between two words, as a share of a piece. */
const COMMA_REACH = 0.35;

export type UnnumberedEntry = Omit<SubtitleEntry, "id">;

/** Entries with the recording's own times. */
export function entriesOf(stretch: Stretch, pieces: readonly SpokenPiece[], language: string): UnnumberedEntry[] {
  return pieces.flatMap(({ text, times }) => {
    const clock = new VoiceClock(stretch, times);
    const sentences = sentencesOf(text, language);
    const weights = sentences.map(weightOf);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let said = 0;
    let start = clock.start;
    return sentences.flatMap((sentence, index) => {
      said += weights[index]!;
      const isLast = index === sentences.length - 1;
      const [end, next] = isLast ? [clock.end, clock.end] : clock.boundary(said / total);
      const from = start;
      start = Math.max(next, end);
      return shown(sentence, from, Math.max(end, from), clock);
    });
  });
}

/** A sentence in pieces of readable length. */
function shown(sentence: string, start: number, end: number, clock: VoiceClock): UnnumberedEntry[] {
  const count = Math.max(Math.ceil(sentence.length / MOST_CHARACTERS), Math.ceil((end - start) / MOST_SECONDS));
  const parts = partsOf(sentence, count);
  const weights = parts.map(weightOf);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let said = 0;
  let from = start;
  return parts.map((text, index) => {
    said += weights[index]!;
    const to = index === parts.length - 1 ? end : clock.between(start, end, said / total);
    const entry = { startTime: rounded(from), endTime: rounded(Math.max(to, from)), text };
    from = to;
    return entry;
  });
}

function sentencesOf(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  return [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter((segment) => segment !== "");
}

/** About even parts, at most so many characters each, at commas where one is near, else between words, else anywhere. */
function partsOf(sentence: string, count: number): string[] {
  const parts: string[] = [];
  let rest = sentence;
  for (let left = count; rest !== ""; left -= 1) {
    const target = rest.length / Math.max(1, left);
    if (left <= 1 && rest.length <= MOST_CHARACTERS) {
      parts.push(rest);
      break;
    }
    const at = breakNear(rest, Math.min(target, MOST_CHARACTERS));
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return parts.filter((part) => part !== "");
}

function breakNear(text: string, target: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (let at = 1; at <= Math.min(text.length, MOST_CHARACTERS); at += 1) {
    if (!/\s/.test(text[at] ?? " ")) continue;
    const isComma = /[,;:–—]/.test(text[at - 1]!);
    const distance = Math.abs(at - target) - (isComma ? COMMA_REACH * target : 0);
    if (distance < least) [best, least] = [at, distance];
  }
  if (best > 0) return best;
  const at = Math.max(1, Math.min(text.length, Math.round(target)));
  // Never within a character of two units.
  return /[\uDC00-\uDFFF]/.test(text[at] ?? "") ? at + 1 : at;
}

/** How long it takes to say, roughly. */
function weightOf(text: string): number {
  return text.length + (text.match(/\d/g)?.length ?? 0) * (DIGIT_WEIGHT - 1);
}

const rounded = (seconds: number): number => Math.round(Math.max(0, seconds) * 1000) / 1000;

/** Seconds of a stretch, or of a piece in it, by how much of what is said in it has been said. */
class VoiceClock {
  readonly start: number;
  readonly end: number;
  private readonly voiced: (readonly [number, number])[];
  private readonly total: number;

  constructor({ time, voiced }: Stretch, times: readonly [number, number] | null) {
    const [from, to] = times ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const within = voiced
      .map(([start, end]) => [Math.max(start, from) + time, Math.min(end, to) + time] as const)
      .filter(([start, end]) => end > start);
    this.voiced = within.length > 0 ? within : [[time + Math.max(0, from), time + (Number.isFinite(to) ? to : 0)]];
    this.start = times === null ? this.voiced[0]![0] : time + from;
    this.end = times === null ? this.voiced.at(-1)![1] : time + to;
    this.total = this.voiced.reduce((sum, [start, end]) => sum + end - start, 0);
  }

  /** When so much has been said, in voiced seconds. */
  private at(share: number): number {
    let left = share * this.total;
    for (const [start, end] of this.voiced) {
      if (left <= end - start) return start + left;
      left -= end - start;
    }
    return this.end;
  }

  /** When one sentence ends and the next begins: around a silence where there is one near. */
  boundary(share: number): [end: number, next: number] {
    const about = this.at(share);
    let best: [number, number] = [about, about];
    let most = 0;
    for (let index = 1; index < this.voiced.length; index += 1) {
      const [end, next] = [this.voiced[index - 1]![1], this.voiced[index]![0]];
      const distance = Math.max(0, end - about, about - next);
      if (next - end < LEAST_SILENCE || distance > NEAR_SECONDS) continue;
      // A long silence further away says more than a short one here.
      const weight = (next - end) * (1 - distance / (2 * NEAR_SECONDS));
      if (weight > most) [best, most] = [[end, next], weight];
    }
    return best;
  }

  /** A time between two others, by the voices between them. */
  between(start: number, end: number, share: number): number {
    const inside = this.voiced
      .map(([from, to]) => [Math.max(from, start), Math.min(to, end)] as const)
      .filter(([from, to]) => to > from);
    let left = share * inside.reduce((sum, [from, to]) => sum + to - from, 0);
    for (const [from, to] of inside) {
      if (left <= to - from) return from + left;
      left -= to - from;
    }
    return start + share * (end - start);
  }
}
