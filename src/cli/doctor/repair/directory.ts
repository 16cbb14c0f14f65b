/** What a repair does about things in the wrong place, files that others may read, and saved indexes. */
import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { misplacedEntries } from "../../../data-directory/places.ts";
import { verifySavedIndexes, verifySavedWords } from "../../../search/index.ts";
import { openToOthers } from "../directory.ts";
import type { Part } from "./part.ts";
import type { Workspace } from "./workspace.ts";

export function planPlaces(workspace: Workspace): Part {
  const misplaced = misplacedEntries(workspace.dataDirectory).filter(({ name }) => name !== "lectern.toml");
  return {
    steps: misplaced.map(({ sentence }) => `${sentence} It is set aside.`),
    losses: [],
    moves: misplaced.map(({ name }) => workspace.aside(name)),
  };
}

/** Indexes that are made again by themselves. All of them go where `all`: passages may have other numbers then. */
export async function planIndexes(workspace: Workspace, all: boolean): Promise<Part> {
  const isThere = statSync(workspace.at("indexes"), { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isThere) return { steps: [], losses: [], moves: [] };
  if (all) return { steps: [], losses: [], moves: [workspace.aside("indexes")] };
  const { damaged } = await verifySavedIndexes(workspace.dataDirectory);
  const words = await verifySavedWords(workspace.dataDirectory);
  const names = new Set([
    ...damaged.map(({ datasetId }) => (datasetId === null ? "indexes" : join("indexes", String(datasetId)))),
    ...words.damaged.map(({ datasetId }) => (datasetId === null ? "indexes" : join("indexes", `${datasetId}-words`))),
  ]);
  return {
    steps: [...names].map((name) => `${workspace.at(name)} is damaged. It is made again from the database.`),
    losses: [],
    moves: [...names].map((name) => workspace.aside(name)),
  };
}

export interface ModesPart extends Part {
  /** Paths that are made private. */
  readonly toClose: readonly string[];
}

export async function planModes(workspace: Workspace): Promise<ModesPart> {
  const toClose = await openToOthers(workspace.dataDirectory);
  const steps = toClose.map((path) => `Other users of this machine may look into ${path}. It is made private.`);
  return { toClose, steps, losses: [], moves: [] };
}

export function close(paths: readonly string[]): void {
  // What was replaced meanwhile is private already, or gone.
  for (const path of paths.filter(existsSync)) chmodSync(path, statSync(path).mode & 0o700);
}
