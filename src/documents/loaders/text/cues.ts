/** Cues of subtitles as SubRip and WebVTT write them: a line of two times, and what is said between them. */

export interface Cue {
  /** Seconds. */
  readonly startTime: number;
  readonly endTime: number;
  /** Without markup; a speaker that is named stands before a colon. */
  readonly lines: readonly string[];
}

const TIME = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`;
export const TIMING = new RegExp(String.raw`^\s*${TIME}[ \t]*-->[ \t]*${TIME}(?:[ \t].*)?$`);
/** Times inside of what is said: lines appear word by word, and stay for the next cue to repeat. */
const WORD_TIME = /<\d{1,4}:\d{2}(?::\d{2})?\.\d{3}>/;
/** Blocks of WebVTT that are for programs, or for who writes it. */
const NOT_SAID = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
const CHARACTERS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  lrm: "\u200e",
  rlm: "\u200f",
};

/** The cues in the order of the file, none without text. */
export function* cuesOf(text: string): Generator<Cue> {
  const repeats = WORD_TIME.test(text);
  let shown: string | undefined;
  for (const { startTime, endTime, said } of writtenCues(text.split(/\r\n?|\n/))) {
    const lines = said.map(withoutMarkup).filter((line) => line !== "");
    const last = lines.at(-1);
    if (repeats && lines[0] === shown) lines.shift();
    shown = last ?? shown;
    if (lines.length > 0) yield { startTime, endTime: Math.max(startTime, endTime), lines };
  }
}

interface WrittenCue {
  readonly startTime: number;
  readonly endTime: number;
  readonly said: string[];
}

function* writtenCues(lines: readonly string[]): Generator<WrittenCue> {
  let cue: WrittenCue | null = null;
  let isSaid = true;
  for (const [index, line] of lines.entries()) {
    const timing = TIMING.exec(line);
    if (timing === null) {
      const beginsBlock = index === 0 || lines[index - 1]!.trim() === "";
      if (beginsBlock) isSaid = !NOT_SAID.test(line);
      if (isSaid) cue?.said.push(line);
      continue;
    }
    isSaid = true;
    if (cue !== null) yield withoutName(cue, lines[index - 2] ?? "");
    cue = { startTime: seconds(timing.slice(1, 5)), endTime: seconds(timing.slice(5, 9)), said: [] };
  }
  if (cue !== null) yield cue;
}

/** The line before a line of times is the next cue's name where it is a number, or stands after a blank line. */
function withoutName(cue: WrittenCue, lineBefore: string): WrittenCue {
  const last = cue.said.at(-1)?.trim() ?? "";
  const isName = last !== "" && (/^\d+$/.test(last) || lineBefore.trim() === "");
  return isName ? { ...cue, said: cue.said.slice(0, -1) } : cue;
}

function seconds([hours = "0", minutes = "0", whole = "0", fraction = "0"]: Array<string | undefined>): number {
  const milliseconds = Number(fraction.padEnd(3, "0"));
  return ((Number(hours) * 60 + Number(minutes)) * 60_000 + Number(whole) * 1000 + milliseconds) / 1000;
}

function withoutMarkup(line: string): string {
  return line
    .replace(/<rt>[^<]*(?:<\/rt>|$)/gi, "")
    .replace(/<v(?:\.[^\s<>]*)?[ \t]([^<>]+)>/gi, (_, speaker: string) => `${speaker.trim()}: `)
    .replace(/<\/?(?:[bisuv]|c|font|lang|ruby)(?:[.\s][^<>]*)?>|<[\d:.]+>|\{\\[^{}]*\}/gi, "")
    .replace(/&(?:(\w{2,5})|#(\d{1,6}));/g, (all, name?: string, number?: string) =>
      number === undefined ? (CHARACTERS[name ?? ""] ?? all) : String.fromCodePoint(Number(number)),
    )
    .replace(/\s+/g, " ")
    .trim();
}
