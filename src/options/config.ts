/**
 * Every option in one table: flag, variable, key in `lectern.toml`, default, check, and the sentence `--help` prints.
 *
 * A flag `--rate-upload` is the variable `LECTERN_RATE_UPLOAD` and the key `rate_upload`. Flags win over variables,
 * variables over `lectern.toml` in the data directory, and that over the default.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { closestName } from "../foundation/closest.ts";
import { requireOwner, whoMayNot } from "../data-directory/owner.ts";
import { fail } from "../foundation/errors.ts";
import { machineBytes } from "../foundation/machine-memory.ts";
import {
  byteUnits,
  choice,
  countUnits,
  decimal,
  integer,
  megabyteUnits,
  optionalChoice,
  optionalDecimal,
  optionalText,
  secondUnits,
  text,
  type Option,
} from "./option-kinds.ts";

const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Megabytes for the reading of one file: a quarter of the machine's memory, within reason. */
const READING_MEGABYTES = Math.min(512, Math.max(128, Math.floor(machineBytes() / 2 ** 20 / 4)));
/** All but one of the cores, as long as half of the memory holds so many; two at least, so that no file holds up all others. */
const READING_PROCESSES = Math.max(
  2,
  Math.min(4, availableParallelism() - 1, Math.floor(machineBytes() / 2 ** 20 / 2 / READING_MEGABYTES)),
);

const OFF = "off";

/** The table itself. Its keys are the names in `Config`. */
export const options = {
  dataDirectory: text({
    flag: "data-dir",
    default: "./lectern-data",
    accepts: "a folder",
    inFile: false,
    sentence: "Where documents, customers, indexes and models live.",
  }),
  host: text({
    flag: "host",
    default: "127.0.0.1",
    accepts: "an address",
    sentence: "Address to listen on; 0.0.0.0 for every interface.",
  }),
  port: integer({
    flag: "port",
    default: 8080,
    minimum: 0,
    maximum: 65535,
    sentence: "Port to listen on; 0 picks a free one.",
  }),
  tlsCertificate: optionalText({
    flag: "tls-cert",
    default: null,
    defaultText: "none: plain HTTP",
    accepts: "a file in PEM form",
    sentence:
      "Certificate to speak TLS with, followed by those that lead to its authority. A new one is taken up while the server runs.",
  }),
  tlsKey: optionalText({
    flag: "tls-key",
    default: null,
    defaultText: "none",
    accepts: "a file in PEM form",
    sentence: "Private key of --tls-cert, without a passphrase.",
  }),
  publicUrl: optionalText({
    flag: "public-url",
    default: null,
    defaultText: "the request's origin",
    accepts: "an http(s) address without a path",
    check: isOrigin,
    sentence: "Address that download links begin with, for a server behind a proxy.",
  }),

  maxFileBytes: integer({
    flag: "max-file-bytes",
    default: 100 * 1024 ** 2,
    defaultText: "100MiB",
    minimum: 1,
    maximum: 2 ** 40,
    units: byteUnits,
    sentence: "Largest file an upload may hold.",
  }),
  maxFilesPerUpload: integer({
    flag: "max-files-per-upload",
    default: 100,
    minimum: 1,
    maximum: 10_000,
    sentence: "Most files in one upload.",
  }),
  maxJsonBytes: integer({
    flag: "max-json-bytes",
    default: 1024 ** 2,
    defaultText: "1MiB",
    minimum: 1024,
    maximum: 2 ** 30,
    units: byteUnits,
    sentence: "Largest JSON body of a request.",
  }),
  maxQuestionCharacters: integer({
    flag: "max-question-characters",
    default: 10_000,
    defaultText: "10k",
    minimum: 1,
    maximum: 1e8,
    units: countUnits,
    sentence: "Longest question of a search or query.",
  }),
  maxConcurrentRequests: integer({
    flag: "max-concurrent-requests",
    default: 1000,
    minimum: 8,
    maximum: 1_000_000,
    units: countUnits,
    sentence:
      "Requests that are answered at the same time, their answers sent; more are told 503 BUSY, but not those of who watches the server.",
  }),
  maxConcurrentUploads: integer({
    flag: "max-concurrent-uploads",
    default: 64,
    minimum: 1,
    maximum: 10_000,
    sentence:
      "Uploads received at the same time; more are answered 503 BUSY. The last quarter is kept for customers without any.",
  }),
  stagingBytes: integer({
    flag: "staging-bytes",
    default: 20 * 1024 ** 3,
    defaultText: "20GiB",
    minimum: 1,
    maximum: 2 ** 50,
    units: byteUnits,
    sentence: "Most that uploads which are received or indexed may hold on disk together; more are answered 503 BUSY.",
  }),
  stagingBytesPerCustomer: integer({
    flag: "staging-bytes-per-customer",
    default: 10 * 1024 ** 3,
    defaultText: "10GiB",
    minimum: 1,
    maximum: 2 ** 50,
    units: byteUnits,
    sentence: "Most of it for one customer, and so also the largest upload.",
  }),
  backgroundFiles: integer({
    flag: "background-files",
    default: 4,
    minimum: 1,
    maximum: 1000,
    sentence: "Files of uploads with async=true that are worked on at the same time; --extract-processes read them.",
  }),
  backgroundQueue: integer({
    flag: "background-queue",
    default: 1000,
    minimum: 1,
    maximum: 100_000,
    sentence:
      "Most files of such uploads that wait or are worked on; more are answered 503 BUSY. The last quarter is kept for customers without any.",
  }),
  diskReserve: integer({
    flag: "disk-reserve",
    default: 512 * 1024 ** 2,
    defaultText: "512MiB",
    minimum: 0,
    maximum: 2 ** 50,
    units: byteUnits,
    sentence: "Free disk space that uploads leave; without it they are answered 507, and all else goes on.",
  }),
  reserveFileBytes: integer({
    flag: "reserve-file-bytes",
    default: 32 * 1024 ** 2,
    defaultText: "32MiB",
    minimum: 0,
    maximum: 2 ** 40,
    units: byteUnits,
    sentence: "Size of a file that is given up when the disk is full, so that searching and deleting go on; 0: none.",
  }),
  uploadIdleSeconds: integer({
    flag: "upload-idle-seconds",
    default: 120,
    minimum: 1,
    maximum: 3600,
    units: secondUnits,
    sentence: "Longest time without a byte of an upload that is being received; then it is answered 408.",
  }),
  uploadLeastRate: integer({
    flag: "upload-least-rate",
    default: 100,
    minimum: 0,
    maximum: 1e9,
    units: byteUnits,
    sentence:
      "Bytes a second at which an upload must come, averaged over three times as long; slower ones are answered 408. 0: none.",
  }),
  rateUpload: integer({
    flag: "rate-upload",
    default: 100,
    minimum: 1,
    maximum: 1e9,
    units: countUnits,
    sentence: "Files a customer may upload each minute.",
  }),
  rateRetrieval: integer({
    flag: "rate-retrieval",
    default: 1000,
    minimum: 1,
    maximum: 1e9,
    units: countUnits,
    sentence: "Searches and queries of a customer each minute.",
  }),
  rateToken: integer({
    flag: "rate-token",
    default: 100,
    minimum: 1,
    maximum: 1e9,
    units: countUnits,
    sentence: "Frontend tokens a customer may create each minute.",
  }),
  rateFree: integer({
    flag: "rate-free",
    default: 6000,
    minimum: 1,
    maximum: 1e9,
    units: countUnits,
    sentence: "Listings, details and deletions of a customer each minute.",
  }),
  searchResults: integer({
    flag: "search-results",
    default: 8,
    minimum: 5,
    maximum: 10,
    sentence: "Results of a search.",
  }),

  model: optionalText({
    flag: "model",
    default: null,
    defaultText: "the built-in model",
    accepts: "the name of a folder in models/",
    check: (name) => MODEL_NAME.test(name),
    sentence: "Embedding model; `lectern model list` shows them.",
  }),
  embedThreads: integer({
    flag: "embed-threads",
    default: Math.min(4, availableParallelism()),
    defaultText: "the cores, at most 4",
    minimum: 1,
    maximum: 256,
    sentence: "Threads the embedding model computes with.",
  }),
  maxQueuedTexts: integer({
    flag: "max-queued-texts",
    default: 100_000,
    minimum: 100,
    maximum: 1e8,
    units: countUnits,
    sentence: "Chunks waiting to be embedded; beyond it requests are answered 503 BUSY.",
  }),

  answerModel: optionalText({
    flag: "answer-model",
    default: null,
    defaultText: "none: answers are sentences of the documents",
    accepts: "the name of a folder in models/",
    check: (name) => MODEL_NAME.test(name),
    sentence: "Language model that answers queries; `lectern model list` shows them.",
  }),
  answerStart: choice({
    flag: "answer-start",
    default: "first-query",
    words: ["first-query", "at-once"],
    sentence: "When the language model is loaded.",
  }),
  answerThreads: integer({
    flag: "answer-threads",
    default: availableParallelism(),
    defaultText: "the real cores",
    minimum: 1,
    maximum: 256,
    sentence: "Threads the language model computes with; never more than real cores.",
  }),
  answerParallel: integer({
    flag: "answer-parallel",
    default: 0,
    defaultText: "by cores and memory, at most 4",
    minimum: 0,
    maximum: 64,
    sentence: "Answers written at the same time; 0 chooses.",
  }),
  answerQueue: integer({
    flag: "answer-queue",
    default: 32,
    minimum: 0,
    maximum: 10_000,
    sentence: "Queries that may wait for the language model; more are answered 503 BUSY.",
  }),
  answerIdleMinutes: integer({
    flag: "answer-idle-minutes",
    default: 30,
    minimum: 0,
    maximum: 100_000,
    sentence: "Minutes without a query after which the language model is unloaded; 0: never.",
  }),
  answerContext: integer({
    flag: "answer-context",
    default: 4096,
    minimum: 512,
    maximum: 1_048_576,
    sentence:
      "Tokens of instructions, passages, question and answer together, for each answer; at most what the model can read.",
  }),
  answerLength: integer({
    flag: "answer-length",
    default: 512,
    minimum: 16,
    maximum: 65_536,
    sentence: "Most tokens of an answer.",
  }),
  answerTemperature: decimal({
    flag: "answer-temperature",
    default: 0.2,
    minimum: 0,
    maximum: 2,
    sentence: "How freely the language model chooses its words; 0: always the most probable.",
  }),
  answerPassages: integer({
    flag: "answer-passages",
    default: 24,
    minimum: 1,
    maximum: 100,
    sentence: "Most passages looked for; as many as fit the context are given to the language model.",
  }),
  answerFloor: optionalDecimal({
    flag: "answer-floor",
    default: null,
    defaultText: "as the ranking's calibration says",
    minimum: 0,
    maximum: 1,
    sentence:
      "How sure it must be, by the best passages, that the documents answer a query; below, the answer says that they do not.",
  }),
  answerInstructions: optionalText({
    flag: "answer-instructions",
    default: null,
    defaultText: "built-in ones",
    accepts: "text",
    sentence: "System prompt for the language model.",
  }),

  extractProcesses: integer({
    flag: "extract-processes",
    default: READING_PROCESSES,
    defaultText: "the cores less one, 2-4, as memory allows",
    minimum: 1,
    maximum: 64,
    sentence:
      "Processes that read uploaded files. With 2 or more, files that take long never hold up the others. One more runs where scans and recordings would leave the others too few.",
  }),
  extractSeconds: integer({
    flag: "extract-seconds",
    default: 60,
    minimum: 1,
    maximum: 3600,
    units: secondUnits,
    sentence:
      "Longest time of a processor that the reading of one file may take, for scans and recordings without recognising more of them; by the clock four times as long.",
  }),
  recogniseHours: integer({
    flag: "recognise-hours",
    default: 12,
    minimum: 1,
    maximum: 1000,
    sentence:
      "Longest time of a processor, in hours, that all of one scan or recording may take; by the clock four times as long.",
  }),
  extractMemoryMegabytes: integer({
    flag: "extract-memory",
    default: READING_MEGABYTES,
    defaultText: "a quarter of the memory, 128MB-512MB",
    minimum: 128,
    maximum: 1_048_576,
    units: megabyteUnits,
    sentence: "Most memory the reading of one file may take.",
  }),
  recogniseMemoryMegabytes: integer({
    flag: "recognise-memory",
    default: 1024,
    defaultText: "1GB",
    minimum: 512,
    maximum: 1_048_576,
    units: megabyteUnits,
    sentence: "Most memory it may take while text is recognised in it, as in a scan or recording.",
  }),
  speechLanguage: optionalText({
    flag: "speech-language",
    default: null,
    defaultText: "as it sounds",
    accepts: 'a language tag such as "en"',
    check: isLanguageTag,
    sentence: "Language spoken in recordings whose upload says none.",
  }),
  speechModel: optionalText({
    flag: "speech-model",
    default: null,
    defaultText: "one that understands the language",
    accepts: "the name of a folder in models/",
    check: (name) => MODEL_NAME.test(name),
    sentence: "Speech model that is used wherever it understands the language; `lectern model list` shows them.",
  }),
  ffmpeg: text({
    flag: "ffmpeg",
    default: "ffmpeg",
    accepts: 'a program, or "none"',
    sentence:
      "Program that decodes AAC, the sound of most MP4 files, where the machine has it; none: such files are refused.",
  }),
  ocrLanguages: optionalText({
    flag: "ocr-languages",
    default: null,
    defaultText: "found out for each file",
    accepts: "names or tags of languages, such as deu,eng",
    check: (value) => /^[A-Za-z][\w-]*([,+ ]+[A-Za-z][\w-]*)*$/.test(value),
    sentence: "Languages of scans and pictures, where an upload does not say.",
  }),
  ocrProgram: text({
    flag: "ocr-program",
    default: OFF,
    accepts: 'a program, such as tesseract, or "off"',
    sentence:
      "Tesseract of the machine's own that reads scans and pictures in the languages it has data of, for speed; off, and for all other languages: what is built in.",
  }),
  extractMaxCharacters: integer({
    flag: "extract-max-characters",
    default: 50_000_000,
    defaultText: "50m",
    minimum: 1000,
    maximum: 5e8,
    units: countUnits,
    sentence: "Most text one file may hold.",
  }),
  maxUploadChunks: integer({
    flag: "max-upload-chunks",
    default: 50_000,
    defaultText: "50k",
    minimum: 100,
    maximum: 1e7,
    units: countUnits,
    sentence:
      "Most chunks of one upload; all that run together hold at most twice as many, those of one customer three quarters of that. Each takes about 15 kB of memory until it is stored.",
  }),
  extractPauseSeconds: integer({
    flag: "extract-pause-seconds",
    default: 300,
    minimum: 0,
    maximum: 86_400,
    units: secondUnits,
    sentence:
      "Longest pause of a customer's uploads after files that ran into these limits on time and memory, answered 429; 0: none.",
  }),
  extractIdleSeconds: integer({
    flag: "extract-idle-seconds",
    default: 60,
    minimum: 1,
    maximum: 86_400,
    units: secondUnits,
    sentence: "Idle time after which a reading process ends.",
  }),

  searchMode: optionalChoice({
    flag: "search-mode",
    default: null,
    defaultText: "as the model's manifest says",
    words: ["hybrid", "vector"],
    sentence: "What searches go by: meaning and words together, or meaning alone.",
  }),
  ranking: choice({
    flag: "ranking",
    default: "full",
    words: ["full", "fast", "off"],
    sentence:
      "How candidates are ranked: read word by word and judged by the trained network, by the plain sum of the same evidence, or not read at all.",
  }),
  rankingCandidates: integer({
    flag: "ranking-candidates",
    default: 50,
    minimum: 10,
    maximum: 200,
    sentence: "Candidates of a search that are read word by word.",
  }),
  searchThreads: integer({
    flag: "search-threads",
    default: Math.min(8, availableParallelism()),
    defaultText: "the cores, at most 8",
    minimum: 1,
    maximum: 64,
    sentence: "Threads that search: each keeps some of the datasets, and all of them sieve a large one together.",
  }),
  openDatasets: integer({
    flag: "open-datasets",
    default: 64,
    minimum: 1,
    maximum: 100_000,
    sentence: "Datasets whose index stays in memory.",
  }),
  indexMemory: integer({
    flag: "index-memory",
    default: 0,
    defaultText: "half of the machine's or container's",
    minimum: 0,
    maximum: 2 ** 50,
    units: byteUnits,
    sentence:
      "Memory for indexes: beyond, the datasets used least leave it, and the vectors of one that is larger are read from the database; 0: the default.",
  }),
  exactLimit: integer({
    flag: "exact-limit",
    default: 10_000,
    defaultText: "10k",
    minimum: 0,
    maximum: 1e7,
    units: countUnits,
    sentence: "Chunks up to which a search compares every vector; beyond, sign bits choose which.",
  }),
  graphLimit: integer({
    flag: "graph-limit",
    default: 4_000_000,
    defaultText: "4M",
    minimum: 0,
    maximum: 1e9,
    units: countUnits,
    sentence: "Chunks from which a dataset is searched through an HNSW graph: below, sign bits find more in less time.",
  }),
  searchExpansion: integer({
    flag: "search-expansion",
    default: 512,
    minimum: 16,
    maximum: 8192,
    sentence: "Candidates a graph search keeps (ef): more finds more and takes longer.",
  }),

  cacheDirectory: optionalText({
    flag: "cache-dir",
    default: null,
    defaultText: "~/.cache/lectern, else in the data directory",
    accepts: "a folder",
    inFile: false,
    sentence: "Where the executable unpacks its native libraries; must allow executing.",
  }),
  startSeconds: integer({
    flag: "start-seconds",
    default: 600,
    defaultText: "10min",
    minimum: 1,
    maximum: 86_400,
    units: secondUnits,
    sentence:
      "Longest time the opening of the data directory may take, a migration or recovery included; then the program ends.",
  }),
  shutdownSeconds: integer({
    flag: "shutdown-seconds",
    default: 30,
    minimum: 0,
    maximum: 3600,
    units: secondUnits,
    sentence: "Longest time running requests get to finish when the server stops.",
  }),
  logLevel: choice({
    flag: "log-level",
    default: "info",
    words: ["debug", "info", "warn", "error", "silent"],
    sentence: "Least important log lines to write.",
  }),
  logFormat: choice({
    flag: "log-format",
    default: "text",
    words: ["text", "json"],
    sentence: "Log lines for people or for machines, on standard error.",
  }),

  accessLog: choice({
    flag: "access-log",
    default: "on",
    words: ["on", "off"],
    sentence:
      "Whether every request is a line of the log: who asked, how it was answered and how long that took, never what was asked or found.",
  }),

  openaiApi: choice({
    flag: "openai-api",
    default: "on",
    words: ["on", "off"],
    sentence:
      "Whether `/v1/models`, `/v1/embeddings` and `/v1/chat/completions` answer programs that speak OpenAI's interface.",
  }),

  auditLogBytes: integer({
    flag: "audit-log-bytes",
    default: 16 * 1024 ** 2,
    defaultText: "16MiB",
    minimum: 0,
    maximum: 2 ** 40,
    units: byteUnits,
    sentence:
      "Size from which audit.log, the record of who changed what, begins anew, its lines so far kept in audit.log.1; 0: none is written.",
  }),

  console: choice({
    flag: "console",
    default: "on",
    words: ["on", "off"],
    sentence: "Whether the web console is there, at the server's address.",
  }),
  backupDirectory: optionalText({
    flag: "backup-dir",
    default: null,
    defaultText: "none",
    accepts: "a folder outside the data directory, best on another disk",
    sentence: "Folder into which the console makes backups, and where it lists them.",
  }),
  maxModelBytes: integer({
    flag: "max-model-bytes",
    default: 64 * 1024 ** 3,
    defaultText: "64GiB",
    minimum: 0,
    maximum: 2 ** 44,
    units: byteUnits,
    sentence: "Size up to which a model may be uploaded in the console; 0: none may.",
  }),
  consoleSessionHours: integer({
    flag: "console-session-hours",
    default: 12,
    minimum: 1,
    maximum: 24 * 90,
    sentence: "How long somebody who signed in to the web console stays signed in.",
  }),

  serverUrl: optionalText({
    flag: "url",
    default: null,
    defaultText: "the data directory's own server",
    accepts: "an http(s) address, with or without /v1",
    check: isServerAddress,
    inFile: false,
    sentence: "Another Lectern server to work through; needs --key.",
  }),
  serverAuthority: optionalText({
    flag: "ca",
    default: null,
    defaultText: "the authorities built in",
    accepts: "a file in PEM form",
    inFile: false,
    sentence: "Certificate to trust at --url: its own where it signed itself, or its authority's.",
  }),
  apiKey: optionalText({
    flag: "key",
    default: null,
    defaultText: "none",
    accepts: "an API key",
    secret: true,
    inFile: false,
    sentence: "API key for --url.",
  }),
} satisfies Record<string, Option<string> | Option<string | null> | Option<number> | Option<number | null>>;

export type OptionName = keyof typeof options;

/** Every option's value, checked. Frozen. Folders and files are absolute. */
export type Config = {
  readonly [Name in OptionName]: ReturnType<(typeof options)[Name]["read"]> | (typeof options)[Name]["default"];
};

/** The option's environment variable. */
export const variableOf = (name: OptionName): string =>
  `LECTERN_${options[name].flag.replaceAll("-", "_").toUpperCase()}`;

/** The option's key in `lectern.toml`, or null when it cannot stand there. */
export const fileKeyOf = (name: OptionName): string | null =>
  (options[name] as Option<unknown>).inFile === false ? null : options[name].flag.replaceAll("-", "_");

export interface ConfigSources {
  /** Values given on the command line, by flag name without dashes. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads every option from its four places. Looks for `lectern.toml` in the data directory that flags or variables name.
 *
 * Throws USAGE, naming the place and the nearest known name, for an unknown flag or key, or a bad value.
 */
export function loadConfig({ flags = {}, environment = process.env }: ConfigSources = {}): Config {
  refuseUnknown(
    Object.keys(flags),
    optionNames.map((name) => options[name].flag),
    (flag) => `option --${flag}`,
  );

  const dataDirectory = resolve(String(read("dataDirectory", flags, environment, {}, "")));
  const path = join(dataDirectory, "lectern.toml");
  const file = readToml(path);
  const fileKeys = optionNames.map(fileKeyOf).filter((key) => key !== null);
  refuseUnknown(Object.keys(file), fileKeys, (key) => `key "${key}" in ${path}`);

  const values = Object.fromEntries(
    optionNames.map((name) => [name, read(name, flags, environment, file, path)]),
  ) as Record<OptionName, unknown>;
  values.dataDirectory = dataDirectory;
  for (const name of ["cacheDirectory", "tlsCertificate", "tlsKey", "serverAuthority"] as const)
    if (typeof values[name] === "string") values[name] = resolve(values[name]);
  return Object.freeze(values) as Config;
}

/** What the built-in model is called where a model is named. */
export const BUILT_IN_MODEL = "default";

/** The folder of the model that the configuration names, or null for the built-in one. */
export function modelDirectoryOf(config: Config): string | null {
  return config.model === null || config.model === BUILT_IN_MODEL
    ? null
    : join(config.dataDirectory, "models", config.model);
}

/** What answering without a language model is called, wherever a model is named. */
export const EXTRACTIVE = "extractive";

/** The place of the language model that the configuration names, or null when there is none. */
export function answerModelPlaceOf(config: Config): string | null {
  return config.answerModel === null || config.answerModel === EXTRACTIVE
    ? null
    : join(config.dataDirectory, "models", config.answerModel);
}

/** The program that is to read scans, and how long it may take for one reading of a page; null: what is built in reads them. */
export function ocrProgramOf({ ocrProgram, extractSeconds }: Config): { program: string; seconds: number } | null {
  return ocrProgram === OFF ? null : { program: ocrProgram, seconds: extractSeconds };
}

const optionNames = Object.keys(options) as OptionName[];

function read(
  name: OptionName,
  flags: Record<string, string>,
  environment: Record<string, string | undefined>,
  file: Record<string, unknown>,
  path: string,
): unknown {
  const option = options[name] as Option<unknown>;
  const variable = variableOf(name);
  const key = fileKeyOf(name);
  const flagValue = flags[option.flag];
  if (flagValue !== undefined) return readValue(option, `--${option.flag}`, flagValue);

  // An empty variable counts as unset: that is how unit files and compose files leave one out.
  const variableValue = environment[variable];
  if (variableValue) return readValue(option, variable, variableValue);
  const secretPath = option.secret ? environment[`${variable}_FILE`] : undefined;
  if (secretPath) return readValue(option, `${variable}_FILE`, readSecret(`${variable}_FILE`, secretPath));

  if (key !== null && file[key] !== undefined) return readValue(option, `"${key}" in ${path}`, file[key]);
  return option.default;
}

function readValue(option: Option<unknown>, place: string, raw: unknown): unknown {
  try {
    if (typeof raw !== "string" && typeof raw !== "number" && typeof raw !== "boolean") throw new Error(option.accepts);
    return option.read(raw);
  } catch (error) {
    const given = option.secret ? "" : `, not ${JSON.stringify(raw)}`;
    throw fail("USAGE", { reason: `${place} must be ${(error as Error).message}${given}.` });
  }
}

function readSecret(variable: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw fail(
      "USAGE",
      { reason: `${variable} names ${path}, which cannot be read: ${(error as Error).message}` },
      undefined,
      error,
    );
  }
}

function readToml(path: string): Record<string, unknown> {
  let source: string;
  try {
    source = readFileSync(path, "utf8");
  } catch (error) {
    // Whose it is says more than that this user may not read it.
    if ((error as NodeJS.ErrnoException).code === "EACCES") {
      requireOwner(dirname(path));
      throw fail("OPERATION_FAILED", { reason: `${path} cannot be used: ${whoMayNot(path)}.` }, undefined, error);
    }
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "ENOTDIR")
      return {};
    throw fail(
      "USAGE",
      {
        reason: `${path} cannot be read: ${(error as Error).message}. Mend it or move it away: every option has a default.`,
      },
      undefined,
      error,
    );
  }
  try {
    return Bun.TOML.parse(source) as Record<string, unknown>;
  } catch (error) {
    throw fail(
      "USAGE",
      {
        reason: `${path} is not valid TOML: ${(error as Error).message}. Mend it or move it away: every option has a default.`,
      },
      undefined,
      error,
    );
  }
}

function refuseUnknown(given: readonly string[], known: readonly string[], describe: (name: string) => string): void {
  for (const name of given) {
    if (known.includes(name)) continue;
    const nearest = closestName(name, known);
    throw fail("USAGE", { reason: `Unknown ${describe(name)}.${nearest ? ` Did you mean "${nearest}"?` : ""}` });
  }
}

/**
 * Variables that look like ours and are not. Worth a warning, never a refusal: container platforms set variables of
 * their own after a service's name, such as LECTERN_SERVICE_HOST.
 */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = optionNames.flatMap((name) =>
    (options[name] as Option<unknown>).secret ? [variableOf(name), `${variableOf(name)}_FILE`] : [variableOf(name)],
  );
  return Object.keys(environment).filter((variable) => variable.startsWith("LECTERN_") && !known.includes(variable));
}

/** An origin, or the base address of the interface. */
function isServerAddress(address: string): boolean {
  return isOrigin(address.replace(/\/v1\/?$/, ""));
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function isOrigin(address: string): boolean {
  return (
    URL.canParse(address) &&
    /^https?:$/.test(new URL(address).protocol) &&
    new URL(address).origin === address.replace(/\/$/, "")
  );
}
