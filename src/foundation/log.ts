/**
 * The one place that writes log lines: to standard error, as text for people or JSON for machines.
 *
 * Guarantees: one line per entry whatever it holds (control characters are escaped), and no API key, frontend token
 * or field named like a secret is ever written.
 */

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log with these fields on every line. */
  with(fields: LogFields): Log;
}

export interface LogOptions {
  level: LogLevel;
  format: "text" | "json";
  write: (line: string) => void;
}

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];
const secretField = /^(authorization|cookie|api-?key|key|x-service-key|token|secret|password|signature)$/i;
const secretText = /lk_[A-Za-z0-9_-]{43}|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g;

/** Logs what becomes of parts of the server that work elsewhere. */
export const troubleTo =
  (log: Log) =>
  (what: string, cause: unknown): void =>
    log.error(what, { cause });

/** Makes a log that writes through `write`, one call per line, the line ending in a newline. */
export function createLog(settings: LogOptions, fixed: LogFields = {}): Log {
  const write = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    if (levels.indexOf(level) < levels.indexOf(settings.level)) return;
    const entry = clean({ ...fixed, ...fields }) as Record<string, unknown>;
    const line =
      settings.format === "json"
        ? JSON.stringify({ time: new Date().toISOString(), level, message: hideSecrets(message), ...entry })
        : asText(level, hideSecrets(message), entry);
    settings.write(`${line}\n`);
    remember(line);
  };
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
    with: (fields) => createLog(settings, { ...fixed, ...fields }),
  };
}

const processSettings: LogOptions = { level: "info", format: "text", write: (line) => void process.stderr.write(line) };

/** UTF-16 units of the last lines that are kept in memory. */
const KEPT_LENGTH = 128 * 1024;
const LONGEST_KEPT_LINE = 4 * 1024;
const kept: string[] = [];
let keptLength = 0;

function remember(line: string): void {
  const entry = line.length > LONGEST_KEPT_LINE ? `${line.slice(0, LONGEST_KEPT_LINE)}…` : line;
  kept.push(entry);
  keptLength += entry.length;
  while (keptLength > KEPT_LENGTH) keptLength -= kept.shift()!.length;
}

/** The last lines that this thread has logged, as they were written, the newest last: at most so many, and as many as are kept. */
export const lastLines = (count: number): readonly string[] => kept.slice(-count);

/** The process's log. */
export const log: Log = createLog(processSettings);

/** Sets what the process's log writes, also for logs already made from it by `with`. */
export function configureLog(settings: Partial<LogOptions>): void {
  Object.assign(processSettings, settings);
}

function asText(level: LogLevel, message: string, fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).map(
    ([key, value]) =>
      ` ${key}=${typeof value === "string" && /^[\w./:@#+-]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
  return escapeControl(`${new Date().toISOString()} ${level.padEnd(5)} ${message}${pairs.join("")}`);
}

/** A copy that JSON can hold: errors spelled out with their causes, secrets hidden, depth bounded. */
function clean(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return hideSecrets(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (depth >= 6) return "…";
  if (value instanceof Error) {
    return {
      error: value.name,
      message: hideSecrets(value.message),
      ...(value.stack && { stack: hideSecrets(value.stack) }),
      ...(value.cause !== undefined && { cause: clean(value.cause, depth + 1) }),
    };
  }
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, secretField.test(key) ? "[hidden]" : clean(item, depth + 1)]),
  );
}

/** Text without what looks like an API key or a token. */
export function hideSecrets(value: string): string {
  return value.replace(secretText, "[hidden]");
}

function escapeControl(value: string): string {
  return value.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
