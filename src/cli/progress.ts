/** Progress on standard error: a bar on a terminal, now and then a plain line elsewhere. */
import { columns, visible } from "./terminal.ts";

export interface Progress {
  /** One more is done, or several; `name` is what is being worked on. */
  advance(name: string, count?: number): void;
  /** Takes the bar off the screen. */
  finish(): void;
}

const PLAIN_EVERY_MILLISECONDS = 5000;
const BAR_EVERY_MILLISECONDS = 80;

/** Counts to `total` of `unit`. `tty` chooses the bar; `write` and `now` are given by tests. */
export function startProgress(
  total: number,
  {
    tty = process.stderr.isTTY === true,
    write = (text: string) => void process.stderr.write(text),
    now = () => performance.now(),
    unit = "files",
  } = {},
): Progress {
  const started = now();
  let done = 0;
  let lastShown = started;
  let shown = false;
  return {
    advance(name, count = 1) {
      done += count;
      const time = now();
      const due = time - lastShown >= (tty ? BAR_EVERY_MILLISECONDS : PLAIN_EVERY_MILLISECONDS);
      if (!due && !(tty && done === total)) return;
      lastShown = time;
      shown = true;
      const status = describeProgress(done, total, (time - started) / 1000, unit);
      write(tty ? `\r\u001b[2K${bar(done, total)} ${status} ${visible(name)}`.slice(0, columns() + 4) : `${status}\n`);
    },
    finish() {
      if (tty && shown) write("\r\u001b[2K");
    },
  };
}

/** Counts bytes to `total`, as `startProgress` counts files. */
export function startByteProgress(
  total: number,
  {
    tty = process.stderr.isTTY === true,
    write = (text: string) => void process.stderr.write(text),
    now = () => performance.now(),
  } = {},
): { advance(bytes: number): void; finish(): void } {
  const started = now();
  let [done, lastShown, shown] = [0, started, false];
  return {
    advance(bytes) {
      done += bytes;
      const time = now();
      if (time - lastShown < (tty ? BAR_EVERY_MILLISECONDS : PLAIN_EVERY_MILLISECONDS)) return;
      lastShown = time;
      shown = true;
      const status = describeBytes(done, total, (time - started) / 1000);
      write(tty ? `\r\u001b[2K${bar(done, total)} ${status}`.slice(0, columns() + 4) : `${status}\n`);
    },
    finish() {
      if (tty && shown) write("\r\u001b[2K");
      shown = false;
    },
  };
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
  const width = 24;
  const filled = Math.round((done / Math.max(1, total)) * width);
  return `[${"#".repeat(filled)}${"-".repeat(width - filled)}]`;
}
