/** `lectern backup`. */
import { version } from "../../../package.json";
import { createBackup, type BackupSummary } from "../../backup/index.ts";
import { readServerAddress } from "../../data-directory/lock.ts";
import { commonOptions, type Command } from "../command.ts";
import { gigabytes } from "../copy-with-hashes.ts";
import { giveWay } from "../../native/thread-priority.ts";
import { counted } from "../existing-dataset.ts";
import { noteChange } from "../operator-audit.ts";
import { note, print, printJson, visible } from "../terminal.ts";
import { withByteProgress } from "./progress.ts";

/** Named one by one; the rest is counted. */
const MOST_NAMED = 5;

export const backupCommand: Command = {
  name: "backup",
  summary: "Backs up the data directory as it is at one moment, beside a running server or without one.",
  usage: "DIR|FILE.tar.zst [--since LAST]",
  positionals: { minimum: 1, maximum: 1 },
  flags: {
    since: {
      value: "LAST",
      sentence:
        "An earlier backup of the same kind: what has not changed since is not stored again. A folder stays whole by itself, a file needs LAST to be restored.",
    },
    "without-models": {
      value: null,
      sentence: "Leaves models/ out; the models are to be added again where it is restored.",
    },
  },
  options: commonOptions,
  notes: [
    "A name that ends in .tar.zst makes one compressed file, which needs the space of a folder beside it meanwhile.",
    "Uploads, deletions and searches go on. Keep backups on another disk.",
  ],
  run: ({ config, positionals, flags, json }) =>
    withByteProgress(async ({ begin, signal }) => {
      // Beside a server searches come first.
      if (readServerAddress(config.dataDirectory) !== null) await giveWay();
      const summary = await createBackup({
        dataDirectory: config.dataDirectory,
        target: positionals[0]!,
        since: flags.since ?? null,
        withModels: flags["without-models"] === undefined,
        version,
        signal,
        begin,
      });
      const { id, created, path } = summary;
      noteChange(config, "backup.create", { backup: id, moment: created, path });
      if (json) printJson(summary);
      else describe(summary);
      warn(summary);
    }),
};

function describe({ path, counts, files, bytes, newBytes, created }: BackupSummary): void {
  const fresh = newBytes < bytes ? `, ${gigabytes(newBytes)} of them new` : "";
  print(
    `${visible(path)} holds the moment ${created}: ${counted(counts.documents, "document")}, ${counted(counts.passages, "passage")}, ` +
      `${counted(counts.customers, "customer")}, ${counted(counts.keys, "key")}; ${counted(files, "file")}, ${gigabytes(bytes)}${fresh}.`,
  );
}

/** What whoever relies on the backup should know. */
function warn({ damaged, missing, strange, modelsLeftOut, uncleared }: BackupSummary): void {
  if (damaged.length > 0)
    note(
      `lectern: ${counted(damaged.length, "stored file")} in it as they are, which is not what was uploaded: ${names(damaged)}. \`lectern doctor\` says more.`,
    );
  if (missing.length > 0)
    note(
      `lectern: ${counted(missing.length, "file")} missing, in the data directory and so in it: ${names(missing)}. \`lectern doctor\` says more.`,
    );
  if (strange.length > 0) note(`lectern: Left out, since neither a file nor a folder: ${names(strange)}.`);
  if (modelsLeftOut.length > 0)
    note(`lectern: Models that are not in it, and are to be added where it is restored: ${names(modelsLeftOut)}.`);
  if (uncleared > 0)
    note(
      `lectern: ${counted(uncleared, "deleted document")} had not been cleared up yet, and what they said is still in the database that is in it. A backup that is made in some minutes is without them.`,
    );
}

function names(list: readonly string[]): string {
  const more = list.length - MOST_NAMED;
  return visible(list.slice(0, MOST_NAMED).join(", ")) + (more > 0 ? ` and ${more} more` : "");
}
