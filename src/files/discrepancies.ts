/** Where the stored bytes and the database differ, and what each difference means. Pure. */
import type { FilesOnDisk } from "./types.ts";

/** What is to be done about files on disk; each id in one list at most. Pure. */
export interface Discrepancies {
  /** Committed, and killed before they got their names. */
  readonly toConfirm: string[];
  /** Unconfirmed and unknown. */
  readonly unfinished: string[];
  /** Their deletion was noted, and killed before the database forgot them. */
  readonly toDelete: string[];
  /** The same, and their bytes are gone: the database is older than their deletion. */
  readonly returned: string[];
  /** Deleted, and killed before their bytes were gone; or records alone. */
  readonly leftovers: string[];
  /** Neither known nor explained. */
  readonly unknown: string[];
  /** Known, and not on disk. */
  readonly missing: string[];
}

/** What the database and the list of deletions say. */
export interface FilesSaid {
  /** Stored, and not deleted. */
  readonly known: ReadonlySet<string>;
  /** Deleted, and known until they are cleared up: nothing about them is a discrepancy. */
  readonly discarded: ReadonlySet<string>;
  /** On the list of deletions. */
  readonly deleted: ReadonlySet<string>;
}

export function findDiscrepancies({ known, discarded, deleted }: FilesSaid, onDisk: FilesOnDisk): Discrepancies {
  const [stored, unconfirmed, recorded] = [onDisk.stored, onDisk.unconfirmed, onDisk.recorded].map((fileIds) =>
    discarded.size === 0 ? fileIds : fileIds.difference(discarded),
  ) as [ReadonlySet<string>, ReadonlySet<string>, ReadonlySet<string>];
  const isOnDisk = (fileId: string): boolean => stored.has(fileId) || unconfirmed.has(fileId);
  const isGone = (fileId: string): boolean => !known.has(fileId) && deleted.has(fileId);
  return {
    toConfirm: [...unconfirmed].filter((fileId) => known.has(fileId) && !deleted.has(fileId)),
    unfinished: [...unconfirmed].filter((fileId) => !known.has(fileId) && !deleted.has(fileId)),
    toDelete: [...known].filter((fileId) => deleted.has(fileId) && isOnDisk(fileId)),
    returned: [...known].filter((fileId) => deleted.has(fileId) && !isOnDisk(fileId)),
    leftovers: [...new Set([...stored, ...unconfirmed, ...recorded])].filter(
      (fileId) => isGone(fileId) || (!known.has(fileId) && !isOnDisk(fileId)),
    ),
    unknown: [...stored].filter((fileId) => !known.has(fileId) && !deleted.has(fileId)),
    missing: [...known].filter((fileId) => !deleted.has(fileId) && !isOnDisk(fileId)),
  };
}
