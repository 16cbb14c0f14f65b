/** `lectern file list|show|get|subtitles|remove`. */
import { fail, LecternError } from "../foundation/errors.ts";
import { commonOptions, type Command } from "./command.ts";
import { chooseService } from "./choose-service.ts";
import { confirm, requireAnswerable, yesFlag } from "./confirm.ts";
import { gigabytes } from "./copy-with-hashes.ts";
import { counted, customerFlag, requireDataset } from "./existing-dataset.ts";
import { chooseTarget, saveStream } from "./save-stream.ts";
import type { FileRecord } from "./stored-documents.ts";
import { note, print, printJson, printTable, visible } from "./terminal.ts";

const options = [...commonOptions, "serverUrl", "apiKey", "serverAuthority", "model"] as const;

const list: Command = {
  name: "file list",
  summary: "Lists the files of a dataset, newest first.",
  usage: "--dataset ID [--name NAME] [--customer ID]",
  positionals: { minimum: 0, maximum: 0 },
  flags: {
    dataset: { value: "ID", sentence: "The dataset.", required: true },
    name: { value: "NAME", sentence: "Only files of exactly this name." },
    ...customerFlag,
  },
  options,
  async run({ config, flags, json }) {
    const service = await chooseService(config, flags.customer);
    try {
      const files = await Array.fromAsync(service.files(flags.dataset!, flags.name ?? null));
      if (files.length === 0) await requireDataset(service, flags.dataset!);
      if (json) printJson(files);
      else if (files.length === 0) print(`There is no file called "${visible(flags.name!)}".`);
      else
        printTable(
          ["FILE ID", "NAME", "SIZE", "STORED"],
          files.map((file) => [file.fileId, visible(file.originalName), sizeOf(file), file.created]),
        );
    } finally {
      await service.close();
    }
    return 0;
  },
};

const show: Command = {
  name: "file show",
  summary: "Shows what is known of a file.",
  usage: "FILEID [--customer ID]",
  positionals: { minimum: 1, maximum: 1 },
  flags: customerFlag,
  options,
  async run({ config, positionals, flags, json }) {
    const service = await chooseService(config, flags.customer);
    try {
      const file = await service.file(positionals[0]!);
      if (json) printJson(file);
      else for (const line of describe(file)) print(line);
    } finally {
      await service.close();
    }
    return 0;
  },
};

const get: Command = {
  name: "file get",
  summary: "Downloads a file as it was uploaded, into this folder under its own name or where --output says.",
  usage: "FILEID [--output PATH|-] [--customer ID]",
  positionals: { minimum: 1, maximum: 1 },
  flags: {
    output: { value: "PATH|-", sentence: "File or folder to write to; - is standard output." },
    force: { value: null, sentence: "Overwrites a file that is there." },
    ...customerFlag,
  },
  options,
  async run({ config, positionals, flags, json }) {
    const service = await chooseService(config, flags.customer);
    try {
      const file = await service.file(positionals[0]!);
      const target =
        flags.output === "-" ? null : await chooseTarget(flags.output, file.originalName, flags.force !== undefined);
      const content = await service.content(file.fileId);
      if (target === null) {
        return (await printBytes(content)) ? 0 : 1;
      }
      await saveStream(content, target, flags.force !== undefined);
      if (json) printJson({ fileId: file.fileId, path: target });
      else print(`${visible(target)}: ${sizeOf(file)}.`);
    } finally {
      await service.close();
    }
    return 0;
  },
};

const subtitles: Command = {
  name: "file subtitles",
  summary: "Prints what is said in a recording or subtitle file, with its times, as players take it.",
  usage: "FILEID [--format srt|vtt] [--customer ID]",
  positionals: { minimum: 1, maximum: 1 },
  flags: {
    format: { value: "srt|vtt", sentence: "SubRip, the default, or WebVTT." },
    ...customerFlag,
  },
  options,
  notes: ["Example: lectern file subtitles FILEID --format vtt > talk.vtt"],
  async run({ config, positionals, flags }) {
    const service = await chooseService(config, flags.customer);
    try {
      return (await printBytes(await service.subtitles(positionals[0]!, flags.format ?? "srt"))) ? 0 : 1;
    } finally {
      await service.close();
    }
  },
};

const remove: Command = {
  name: "file remove",
  summary: "Deletes files, by their ids.",
  usage: "FILEID… [--customer ID]",
  positionals: { minimum: 1, maximum: Number.POSITIVE_INFINITY },
  flags: { ...customerFlag, ...yesFlag },
  options,
  async run({ config, positionals, flags, json }) {
    requireAnswerable(flags);
    const service = await chooseService(config, flags.customer);
    const removed: string[] = [];
    const failed: { fileId: string; sentence: string }[] = [];
    try {
      // All are looked up first, so that a mistyped id is told before anything is gone.
      const files: FileRecord[] = [];
      for (const fileId of new Set(positionals)) files.push(await named(fileId, () => service.file(fileId)));
      await confirm(
        `${counted(files.length, "file")}: ${files.map(({ originalName }) => originalName).join(", ")}.`,
        flags,
      );
      for (const { fileId } of files)
        await service.removeFile(fileId).then(
          () => removed.push(fileId),
          (error: unknown) => {
            if (!(error instanceof LecternError)) throw error;
            failed.push({ fileId, sentence: error.message });
          },
        );
    } finally {
      await service.close();
    }
    if (json) printJson({ removed, failed });
    else print(`Removed ${counted(removed.length, "file")}.`);
    for (const { fileId, sentence } of failed) note(`  ${fileId}: ${visible(sentence)}`);
    return failed.length === 0 ? 0 : 1;
  },
};

export const fileCommands: readonly Command[] = [list, show, get, subtitles, remove];

/** False where whoever reads standard output went away. */
async function printBytes(content: ReadableStream<Uint8Array>): Promise<boolean> {
  for await (const bytes of content) {
    const failure = await new Promise<unknown>((resolve) => process.stdout.write(bytes, (error) => resolve(error)));
    if (failure) return false;
  }
  return true;
}

/** Says in a failure which of several ids it was. */
async function named<Result>(fileId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LecternError)) throw error;
    throw fail("OPERATION_FAILED", { reason: `${fileId}: ${error.message} Nothing was removed.` }, undefined, error);
  }
}

const sizeOf = ({ size }: FileRecord): string =>
  size === null ? "size unknown" : size < 1e5 ? counted(size, "byte") : gigabytes(size);

/** A line for each field that says something, the longest last. */
function describe(file: FileRecord): string[] {
  const shown = Object.entries(file).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...shown.map(([key]) => key.length)) + 2;
  return shown.map(
    ([key, value]) => `${key.padEnd(width)}${visible(typeof value === "string" ? value : JSON.stringify(value))}`,
  );
}
