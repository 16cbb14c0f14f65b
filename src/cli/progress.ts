/** A progress bar on standard error where that is a terminal; nothing elsewhere. */
import { visible } from "./terminal.ts";

export interface Progress {
  /** One more is done, or several; `name` is what is being worked on. */
  advance(name: string, count?: number): void;
  /** Takes the bar off the screen. */
  finish(): void;
}

/** Where it is drawn, and by which clock; tests give their own. */
export interface Screen {
  readonly tty: boolean;
  readonly columns: () => number;
  readonly write: (text: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

const screen: Screen = {
  tty: process.stderr.isTTY === true,
  columns: () => process.stderr.columns || 80,
  write: (text) => void process.stderr.write(text),
  now: () => performance.now(),
};

const DRAWN_EVERY_MILLISECONDS = 80;
const BAR_COLUMNS = 24;
/** Columns that a name needs to tell anything. */
const LEAST_NAME = 8;
const CLEAR_LINE = "\r\u001b[2K";

/** Counts to `total` of `unit`. */
export function startProgress(
  total: number,
  { unit = "files", ...given }: Partial<Screen> & { unit?: string } = {},
): Progress {
  const draw = startDrawing(total, given, (done, seconds) => [
    describeProgress(done, total, seconds, unit),
    `${done}/${total} ${unit}`,
  ]);
  return { advance: (name, count = 1) => draw.advance(count, visible(name)), finish: draw.finish };
}

/** Counts bytes to `total`, as `startProgress` counts files. */
export function startByteProgress(
  total: number,
  given: Partial<Screen> = {},
): { advance(bytes: number): void; finish(): void } {
  const draw = startDrawing(total, given, (done, seconds) => [describeBytes(done, total, seconds)]);
  return { advance: (bytes) => draw.advance(bytes, ""), finish: draw.finish };
}

/** `describe` says how far it is, at length and then ever shorter. */
function startDrawing(
  total: number,
  given: Partial<Screen>,
  describe: (done: number, seconds: number) => readonly string[],
): { advance(count: number, name: string): void; finish(): void } {
  const { tty, columns, write, now } = { ...screen, ...given };
  const started = now();
  let [done, lastDrawn, isDrawn] = [0, started, false];
  return {
    advance(count, name) {
      done += count;
      const time = now();
      if (!tty || (time - lastDrawn < DRAWN_EVERY_MILLISECONDS && done !== total)) return;
      [lastDrawn, isDrawn] = [time, true];
      // The last column stays free: a full line would wrap on some terminals.
      write(CLEAR_LINE + progressLine(bar(done, total), describe(done, (time - started) / 1000), name, columns() - 1));
    },
    finish() {
      if (isDrawn) write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

/** As much as fits into `width` columns: the bar, the longest status, and what is left for the name. */
export function progressLine(bar: string, statuses: readonly string[], name: string, width: number): string {
  const [longest = "", ...shorter] = statuses;
  const whole = `${bar} ${longest}`;
  const room = width - Bun.stringWidth(whole) - 1;
  if (name !== "" && room >= LEAST_NAME) return `${whole} ${cut(name, room)}`;
  const fitting = [whole, longest, ...shorter].find((line) => Bun.stringWidth(line) <= width);
  return fitting ?? cut(statuses.at(-1)!, width);
}

/** The beginning of a text, at most so many columns wide. */
function cut(text: string, width: number): string {
  let [kept, used] = ["", 0];
  for (const character of text) {
    used += Bun.stringWidth(character);
    if (used > width) break;
    kept += character;
  }
  return kept;
}

/** "1200/4700 MB, 350 MB/s, 0:10 left". */
function describeBytes(done: number, total: number, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const left = rate > 0 && done < total ? `, ${formatDuration((total - done) / rate)} left` : "";
  return `${Math.round(done / 1e6)}/${Math.round(total / 1e6)} MB, ${Math.round(rate / 1e6)} MB/s${left}`;
}

/** "120/1000 files, 45.2/s, 0:19 left". */
export function describeProgress(done: number, total: number, seconds: number, unit = "files"): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const left = rate > 0 ? `, ${formatDuration((total - done) / rate)} left` : "";
  return `${done}/${total} ${unit}, ${rate.toFixed(1)}/s${done < total ? left : ""}`;
}

/** Seconds as m:ss, or h:mm:ss from one hour on. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}` : `${minutes}:${twoDigits(rest)}`;
}

function bar(done: number, total: number): string {
  const filled = Math.min(BAR_COLUMNS, Math.round((done / Math.max(1, total)) * BAR_COLUMNS));
  return `[${"#".repeat(filled)}${"-".repeat(BAR_COLUMNS - filled)}]`;
}
