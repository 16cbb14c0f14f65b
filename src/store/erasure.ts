/**
 * What a deletion owes after its commit. The database itself holds zeros where the deleted rows were (`secure_delete`), but the
 * write-ahead log still holds what they were, and the file its size: so the log is emptied, and freed pages go back to the file
 * system in steps so small that writes between them hardly wait.
 */
import type { Database } from "bun:sqlite";
import { truncateLog } from "./database.ts";

/** From a deletion to the emptying of the log: deletions that follow one another share one. */
const PAUSE_MILLISECONDS = 500;
/** Between two steps, for the writes that wait. */
const STEP_PAUSE_MILLISECONDS = 20;
/** 4 MiB of pages of 16 KiB. */
const STEP_PAGES = 256;
/** As `PRAGMA auto_vacuum` tells it. */
const INCREMENTAL = 2;

export interface Erasure {
  /** Something was deleted, and committed. */
  due(): void;
  stop(): void;
}

/** `database` is the connection that writes; the work is done on its thread, between writes. */
export function startErasure(database: Database): Erasure {
  const freePages = database.query<{ freelist_count: number }, []>("PRAGMA freelist_count");
  const giveBack = database.query<unknown, []>(`PRAGMA incremental_vacuum(${STEP_PAGES})`);
  let timer: Timer | undefined;
  let turn: "log" | "pages" = "log";

  function step(): void {
    timer = undefined;
    try {
      // First the log, which may hold a text; then some pages, which are zeros; then the log again, which shortens the file. Each has
      // a turn of its own, for the writes that wait.
      if (turn === "pages") {
        turn = "log";
        // Gives back one page for each row that is read.
        giveBack.all();
        return schedule(freePages.get()!.freelist_count === 0 ? 0 : STEP_PAUSE_MILLISECONDS);
      }
      if (!truncateLog(database)) return schedule(PAUSE_MILLISECONDS);
      if (!givesBackSpace(database) || freePages.get()!.freelist_count === 0) return;
      turn = "pages";
      schedule(STEP_PAUSE_MILLISECONDS);
    } catch {
      // What stops this (a full or broken disk) stops commits too, and they report it to someone.
      schedule(PAUSE_MILLISECONDS);
    }
  }

  function schedule(milliseconds: number): void {
    timer ??= setTimeout(step, milliseconds);
  }

  return {
    due: () => schedule(PAUSE_MILLISECONDS),
    stop: () => clearTimeout(timer),
  };
}

/** False for a database that an earlier Lectern made and that was too large to be made anew: see compact.ts. */
export function givesBackSpace(database: Database): boolean {
  return database.query<{ auto_vacuum: number }, []>("PRAGMA auto_vacuum").get()!.auto_vacuum === INCREMENTAL;
}
