/** What a repair does about `access.db`, the number of changes that is noted beside it, and the secret. */
import {
  accessDatabasePath,
  accessMigrations,
  describeOlder,
  readChangeNote,
  changesIn,
  rebuildAccess,
  type RebuiltAccess,
} from "../../../access/index.ts";
import { LecternError } from "../../../foundation/errors.ts";
import { openReading } from "../../../store/database.ts";
import { refuseNewer } from "../../../store/migrate.ts";
import { checkChanges } from "../changes.ts";
import { checkAccess } from "../databases.ts";
import { examineSecret } from "../secret.ts";
import { count, ended, type Loss, type Part } from "./part.ts";
import type { Workspace } from "./workspace.ts";

const DATABASE = "access.db";

export interface CustomersPart extends Part {
  /** Customers to be made, without credits, because documents are theirs. */
  readonly toMake: readonly string[];
}

/** `owners` are those whose documents there are. */
export function planCustomers(workspace: Workspace, owners: ReadonlySet<string>): CustomersPart {
  const source = workspace.readable(DATABASE);
  const fault = checkAccess(workspace.dataDirectory, source ?? workspace.at(DATABASE)).find(
    ({ state }) => state === "bad",
  );
  const isGone = source === null && owners.size > 0;
  const accessPart =
    fault !== undefined || isGone
      ? rebuild(workspace, source, owners, fault?.sentence ?? `${workspace.at(DATABASE)} is missing beside documents.`)
      : keep(workspace, source, owners);
  const secretPart = planSecret(workspace);
  return {
    toMake: accessPart.toMake,
    steps: [...accessPart.steps, ...secretPart.steps],
    losses: [...accessPart.losses, ...secretPart.losses],
    moves: [...accessPart.moves, ...secretPart.moves],
  };
}

function rebuild(
  workspace: Workspace,
  source: string | null,
  owners: ReadonlySet<string>,
  fault: string,
): CustomersPart {
  workspace.checkRoom(DATABASE);
  const noted = readChangeNote(workspace.dataDirectory) ?? 0;
  const built = rebuildAccess(source, workspace.newPath(DATABASE), owners, noted);
  const has = `${count(built.customers, "customer")} and ${count(built.keys, "key")} in it as before`;
  return {
    toMake: [],
    steps: [`${ended(fault)} The database is made anew: ${has}. What nothing else speaks of cannot be named as lost.`],
    losses: lossesOf(built, source === null),
    moves: workspace.replace(DATABASE),
  };
}

function lossesOf({ lostCustomers, lostKeys }: RebuiltAccess, isGone: boolean): Loss[] {
  const losses: Loss[] = [...lostCustomers.map(lostCustomer), ...lostKeys.map(lostKey)];
  if (isGone)
    losses.push({ kind: "key", id: null, name: null, sentence: "All API keys. Make new ones: lectern key create" });
  return losses;
}

const lostCustomer = (id: string): Loss => ({
  kind: "customer",
  id,
  name: null,
  sentence: `"${id}" is made again without credits. Give it some: lectern customer set ${id} --credits N`,
});

const lostKey = (id: string): Loss => ({
  kind: "key",
  id,
  name: null,
  sentence: `API key ${id}. Make another: lectern key create`,
});

/** A sound database: whoever is missing in it is made, and what it lacks of noted changes is accepted. */
function keep(workspace: Workspace, source: string | null, owners: ReadonlySet<string>): CustomersPart {
  if (source === null) return { toMake: [], steps: [], losses: [], moves: [] };
  using database = openReading(source);
  try {
    refuseNewer(database, accessMigrations);
  } catch (error) {
    if (error instanceof LecternError) throw error;
  }
  const known = database.query<{ one: number }, [string]>("SELECT 1 AS one FROM customers WHERE id = ?");
  const toMake = [...owners].filter((id) => known.get(id) === null).sort();
  const steps =
    toMake.length === 0
      ? []
      : [
          `${count(toMake.length, "customer")} with documents and not in ${accessDatabasePath(workspace.dataDirectory)}: made again.`,
        ];
  const losses = toMake.map(lostCustomer);
  const changes = checkChanges(workspace.dataDirectory);
  const missing = (readChangeNote(workspace.dataDirectory) ?? 0) - changesIn(database);
  if (missing > 0) {
    steps.push(`${describeOlder(workspace.dataDirectory, missing)} It is gone on with.`);
    losses.push({
      kind: "changes",
      id: null,
      name: null,
      sentence: `The last ${count(missing, "change")} of customers, keys and credits: those made since are unknown, and those removed or revoked since are valid again. Look through them: lectern key list`,
    });
  } else if (changes.length > 0) {
    steps.push(`${changes[0]!.sentence} It is written again.`);
  }
  return { toMake, steps, losses, moves: [] };
}

function planSecret(workspace: Workspace): Part {
  const { state, sentence } = examineSecret(workspace.dataDirectory);
  if (state === "good") return { steps: [], losses: [], moves: [] };
  return {
    steps: [`${sentence} Another one is made.`],
    losses: [
      {
        kind: "tokens",
        id: null,
        name: null,
        sentence: "All frontend tokens and download links that were given out end.",
      },
    ],
    moves: [workspace.aside("secret")],
  };
}
