/**
 * Backups that the console makes, lists and verifies, each by a process of this program: whatever is read of a backup may have been written by
 * a stranger, and reading and copying gigabytes holds nobody up. One is made at a time, and one verified.
 */
import { join } from "node:path";
import { fail } from "../../foundation/errors.ts";
import type { Log } from "../../foundation/log.ts";
import { KeptListing } from "./kept-listing.ts";
import type { RunCommand } from "./own-commands.ts";

export interface ShownBackup {
  readonly name: string;
  readonly kind: "folder" | "archive";
  readonly created: string;
  readonly bytes: number;
}

export interface BackupState {
  readonly backups: readonly ShownBackup[];
  readonly running: { readonly name: string; readonly share: number | null } | null;
  /** Why the last one was not made; null: it was, or none was begun. */
  readonly failure: { readonly name: string; readonly message: string } | null;
}

export interface BackupsOptions {
  /** null: none is configured. */
  readonly directory: string | null;
  readonly log: Log;
  readonly run: RunCommand;
  /** Aborted when the server stops, which ends what is under way: of a backup that was not whole nothing stays. */
  readonly stopped: AbortSignal;
}

/** Of those that are made here: what the next one is made since. */
const OWN_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
/** A folder is looked through again after so many milliseconds at the earliest. */
const LISTING_KEPT = 2_000;

export class Backups {
  private running: { readonly name: string; share: number | null } | null = null;
  private failure: BackupState["failure"] = null;
  private isVerifying = false;
  private readonly listing: KeptListing<ShownBackup[]>;

  constructor(private readonly options: BackupsOptions) {
    const { directory } = options;
    this.listing = new KeptListing(
      () => (directory === null ? Promise.resolve([]) : this.read(directory)),
      LISTING_KEPT,
    );
  }

  async state(): Promise<BackupState> {
    return { backups: await this.listing.get(), running: this.running, failure: this.failure };
  }

  /** Begins one; returns its name. Throws REFUSED while another one is made, or where no folder is configured. */
  async start(): Promise<string> {
    const directory = this.requireDirectory();
    if (this.running !== null) throw fail("REFUSED", { reason: "A backup is being made already. Wait for it." });
    const name = new Date()
      .toISOString()
      .replace(/\.\d+Z$/, "Z")
      .replaceAll(":", "-");
    this.running = { name, share: null };
    this.failure = null;
    try {
      const last = (await this.listing.get()).findLast(
        (backup) => backup.kind === "folder" && OWN_NAME.test(backup.name),
      );
      void this.make(directory, name, last?.name ?? null);
    } catch (error) {
      this.running = null;
      throw error;
    }
    return name;
  }

  /** Whether one of those that are listed is whole, and a sentence. Throws BACKUP_UNKNOWN, BUSY while another one is verified. */
  async verify(name: string): Promise<{ readonly sound: boolean; readonly message: string }> {
    const directory = this.requireDirectory();
    if (!(await this.listing.get()).some((backup) => backup.name === name)) throw fail("BACKUP_UNKNOWN");
    if (this.isVerifying) throw fail("BUSY", { retryAfter: 10 });
    this.isVerifying = true;
    try {
      const { code, output, errors } = await this.options.run(["backup", "verify", join(directory, name)]);
      return code === 0 ? { sound: true, message: output } : { sound: false, message: errors };
    } finally {
      this.isVerifying = false;
    }
  }

  private requireDirectory(): string {
    const { directory } = this.options;
    if (directory === null)
      throw fail("REFUSED", {
        reason:
          "No folder for backups is configured. Start the server with --backup-dir FOLDER, best on another disk, or make them with `lectern backup`.",
      });
    return directory;
  }

  private async read(directory: string): Promise<ShownBackup[]> {
    const { code, output, errors } = await this.options.run(["backup", "list", directory, "--json"]);
    if (code !== 0) throw fail("REFUSED", { reason: errors });
    return (JSON.parse(output) as ShownBackup[]).map(({ name, kind, created, bytes }) => ({
      name,
      kind,
      created,
      bytes,
    }));
  }

  private async make(directory: string, name: string, since: string | null): Promise<void> {
    const { log, stopped } = this.options;
    const words = ["backup", join(directory, name), ...(since === null ? [] : ["--since", join(directory, since)])];
    try {
      const { code, errors } = await this.options.run(words, (share) => {
        if (this.running !== null) this.running.share = share;
      });
      if (code === 0) log.info("A backup was made", { name, since });
      else if (!stopped.aborted) {
        this.failure = { name, message: errors };
        log.error("A backup could not be made", { name, reason: errors });
      }
    } catch (error) {
      this.failure = { name, message: (error as Error).message };
      log.error("A backup could not be begun", { name, cause: error });
    } finally {
      this.running = null;
      this.listing.forget();
    }
  }
}
