/** `lectern doctor --repair`: says what can be mended and what is lost, and mends it. */
import { existsSync } from "node:fs";
import { hasUnfinishedMoves, moveAll, takeBackMoves } from "../../data-directory/moves.ts";
import { lockDirectory, readServerAddress } from "../../data-directory/lock.ts";
import { requireOwner } from "../../data-directory/owner.ts";
import { misplacedEntries } from "../../data-directory/places.ts";
import { fail } from "../../foundation/errors.ts";
import type { Config } from "../../options/config.ts";
import { hashFileAt, openFileStorage } from "../../files/index.ts";
import { recordOf } from "../../operations/old-files.ts";
import { isWanted, requireAnswerable } from "../confirm.ts";
import { openForCommand } from "../open-appliance.ts";
import { noteChange } from "../operator-audit.ts";
import { startProgress } from "../progress.ts";
import { columns, note, print, printJson, visible, wrap } from "../terminal.ts";
import { examine } from "./examine.ts";
import { printFinding, type Finding } from "./finding.ts";
import { planCustomers, type CustomersPart } from "./repair/customers.ts";
import { close, planIndexes, planModes, planPlaces, type ModesPart } from "./repair/directory.ts";
import { planDocuments, type DocumentsPart } from "./repair/documents.ts";
import type { Part } from "./repair/part.ts";
import { Workspace } from "./repair/workspace.ts";

export interface RepairOptions {
  readonly deep: boolean;
  readonly dryRun: boolean;
  readonly yes: string | undefined;
}

interface Plan extends Part {
  readonly places: Part;
  readonly documents: DocumentsPart;
  readonly customers: CustomersPart;
  readonly modes: ModesPart;
}

interface Replaced extends Plan {
  /** Where what was replaced is kept; null where nothing was. */
  readonly folder: string | null;
}

/**
 * Resolves to the exit code: 0 when nothing is wrong then; with `dryRun`, when there is nothing to mend. Throws OPERATION_FAILED while
 * another process has the data directory, where that belongs to another user, is not there or was written by a newer version.
 */
export async function repair(config: Config, options: RepairOptions, json: boolean): Promise<number> {
  const { dataDirectory } = config;
  requireOwner(dataDirectory);
  if (!existsSync(dataDirectory))
    throw fail("OPERATION_FAILED", { reason: `${dataDirectory} does not exist. Name the right one with --data-dir.` });
  refuseWhileServed(dataDirectory);
  if (!options.dryRun) requireAnswerable(options, "This changes the data directory");
  const changed = await whileLocked(dataDirectory, () => planAndReplace(config, options, json));
  if (changed === "dry run") return 1;
  const outcome = changed === null ? NOTHING_DONE : await bringBack(config, changed);
  if (changed !== null) {
    const { folder, losses } = changed;
    noteChange(config, "directory.repair", { folder, indexedAgain: outcome.indexed, losses: losses.length });
  }
  const findings = await examine(config, options.deep);
  return report(changed, outcome, findings.filter(isWrong), json);
}

/** Plans, says so, asks, and puts what was made anew into its place. null: there is nothing to mend. */
async function planAndReplace(
  config: Config,
  options: RepairOptions,
  json: boolean,
): Promise<Replaced | "dry run" | null> {
  const { dataDirectory } = config;
  if (hasUnfinishedMoves(dataDirectory)) {
    if (options.dryRun) return reportUnfinished(dataDirectory, json);
    takeBackMoves(dataDirectory);
    note(`What an interrupted repair of ${dataDirectory} had begun is taken back.`);
  }
  const workspace = new Workspace(dataDirectory);
  let isChanging = false;
  try {
    const plan = await makePlan(workspace, options.deep);
    if (plan.steps.length === 0) return null;
    if (options.dryRun) return reportPlan(plan, json);
    const folder = workspace.at(workspace.folder);
    if (!json) printPlan(plan);
    if (options.yes === undefined && !(await isWanted("", `What is replaced is kept in ${folder}. Go on?`)))
      throw fail("OPERATION_FAILED", { reason: "Nothing was changed." });
    isChanging = true;
    await replace(workspace, plan);
    return { ...plan, folder: existsSync(folder) ? folder : null };
  } finally {
    if (!isChanging) workspace.abandon();
  }
}

async function makePlan(workspace: Workspace, deep: boolean): Promise<Plan> {
  const places = planPlaces(workspace);
  const documents = await planDocuments(workspace, deep);
  const customers = planCustomers(workspace, documents.owners);
  const isRebuilt = documents.moves.length > 0 || documents.indexesAgain;
  const indexes = await planIndexes(workspace, isRebuilt);
  const modes = await planModes(workspace);
  const parts = [places, documents, customers, indexes, modes];
  const misplaced = new Set(places.moves.map(({ from }) => from));
  return {
    steps: parts.flatMap((part) => part.steps),
    losses: parts.flatMap((part) => part.losses),
    // What lies in the wrong place goes first, by itself.
    moves: parts.flatMap((part) => part.moves).filter(({ from }) => !misplaced.has(from)),
    places,
    documents,
    customers,
    modes,
  };
}

/** From here on a run that is interrupted is begun again by the next one, and loses nothing. */
async function replace(workspace: Workspace, { places, moves, documents, modes }: Plan): Promise<void> {
  const { dataDirectory } = workspace;
  moveAll(dataDirectory, [...places.moves, ...documents.recordMoves]);
  // Before the database is another: what was being deleted stays so, and what is indexed again is known by its record.
  const storage = await openFileStorage(dataDirectory);
  await storage.noteDeletions(documents.deleted);
  for (const file of documents.toRecord)
    await storage.addRecord(
      recordOf({ ...file, datasetName: file.datasetName! }, { size: file.size!, sha256: file.sha256! }),
    );
  moveAll(dataDirectory, moves);
  close(modes.toClose);
  workspace.clear();
}

interface Outcome {
  /** Files that were indexed again. */
  readonly indexed: number;
  /** Files that stay in `lost+found`, and why. */
  readonly unindexed: readonly { readonly fileId: string; readonly problem: string }[];
}

const NOTHING_DONE: Outcome = { indexed: 0, unindexed: [] };

/** Opens the data directory, which brings it into order as a start does, and gives back what it lacks. */
async function bringBack(config: Config, { customers, documents }: Plan): Promise<Outcome> {
  const { adoptSetAside } = await import("../../operations/adopt.ts");
  const appliance = await openForCommand(config, { acceptLoss: true });
  try {
    const { access, store, storage } = appliance;
    for (const customerId of customers.toMake)
      if (access.customer(customerId) === null) access.createCustomer(customerId, 0);
    for (const fileId of documents.recordless) {
      const file = store.fileById(fileId);
      if (file !== null) await storage.addRecord(recordOf(file, await hashFileAt(storage.resolve(file.storagePath))));
    }
    const progress = startProgress(await storage.countSetAside());
    const adoptions = await adoptSetAside(appliance, new AbortController().signal, ({ originalName, fileId }) =>
      progress.advance(originalName ?? fileId),
    );
    progress.finish();
    const unindexed = adoptions.flatMap(({ fileId, problem }) => (problem === null ? [] : [{ fileId, problem }]));
    return { indexed: adoptions.length - unindexed.length, unindexed };
  } finally {
    await appliance.close();
  }
}

function refuseWhileServed(dataDirectory: string): void {
  const server = readServerAddress(dataDirectory);
  if (server !== null)
    throw fail("OPERATION_FAILED", {
      reason: `The server at ${server.url} (process ${server.pid}) runs on this data directory. Stop it, then try again.`,
    });
}

/** Where something else lies in the place of the lock, no process has it. */
async function whileLocked<Result>(dataDirectory: string, work: () => Promise<Result>): Promise<Result> {
  const isMisplaced = misplacedEntries(dataDirectory).some(
    ({ name }) => name === "lectern.lock" || name === "server.json",
  );
  const lock = isMisplaced ? null : lockDirectory(dataDirectory);
  try {
    return await work();
  } finally {
    lock?.release();
  }
}

const isWrong = ({ state }: Finding): boolean => state === "bad";

function reportUnfinished(dataDirectory: string, json: boolean): "dry run" {
  const step = `A repair of ${dataDirectory} was interrupted. What it had begun is taken back; then it is begun anew.`;
  return reportPlan({ steps: [step], losses: [], moves: [] }, json);
}

function reportPlan({ steps, losses }: Part, json: boolean): "dry run" {
  if (json) printJson({ dryRun: true, steps, lost: losses });
  else printPlan({ steps, losses });
  return "dry run";
}

function printPlan({ steps, losses }: Pick<Part, "steps" | "losses">): void {
  print("To be mended:");
  for (const step of steps) printItem(step);
  if (losses.length > 0) print("Lost, and not to be had back without a backup:");
  for (const { kind, sentence } of losses) printItem(`${kind}: ${sentence}`);
}

function printItem(sentence: string): void {
  wrap(visible(sentence), columns() - 4).forEach((line, at) => print(`${at === 0 ? "  - " : "    "}${line}`));
}

/** Returns the exit code. */
function report(
  plan: Replaced | null,
  { indexed, unindexed }: Outcome,
  wrong: readonly Finding[],
  json: boolean,
): number {
  const exitCode = wrong.length + unindexed.length === 0 ? 0 : 1;
  if (json) {
    const { steps = [], losses: lost = [], folder = null } = plan ?? {};
    printJson({ dryRun: false, steps, lost, keptIn: folder, indexedAgain: indexed, notIndexed: unindexed, wrong });
    return exitCode;
  }
  if (plan === null) print("There is nothing to mend.");
  else print(`Mended.${indexed > 0 ? ` ${indexed} files are indexed again.` : ""}`);
  if (plan !== null && plan.folder !== null)
    print(`What was replaced lies in ${plan.folder}; delete it when nobody needs it any more.`);
  for (const { fileId, problem } of unindexed) printItem(`${fileId} stays in lost+found: ${problem}`);
  if (wrong.length > 0) print("Left as it is:");
  for (const finding of wrong) printFinding(finding);
  return exitCode;
}
