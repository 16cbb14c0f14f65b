/** Everything that `lectern doctor` looks at. */
import { existsSync } from "node:fs";
import { unknownVariables, type Config } from "../../options/config.ts";
import { otherOwner } from "../../data-directory/owner.ts";
import { indexBytes } from "../../foundation/machine-memory.ts";
import { checkCache } from "./cache.ts";
import { checkChanges } from "./changes.ts";
import { checkDatabases } from "./databases.ts";
import { checkDirectory, checkFreeSpace, checkUser } from "./directory.ts";
import { checkFiles } from "./files.ts";
import type { Finding } from "./finding.ts";
import { checkIndexes } from "./indexes.ts";
import { checkLibraries, checkSystemLibrary } from "./machine.ts";
import { checkModels } from "./models.ts";
import { checkOcrProgram } from "./ocr-program.ts";
import { checkOwner } from "./owner.ts";
import { checkPlaces } from "./places.ts";
import { examineSecret } from "./secret.ts";

/** `deep`: also reads every stored file. */
export async function examine(config: Config, deep: boolean): Promise<Finding[]> {
  // Libraries are unpacked, and a model is tried, for the owner alone: nothing of another user's may come to lie in what is the owner's.
  const isOwner = otherOwner(config.dataDirectory) === null;
  const cache = isOwner ? await checkCache(config) : [];
  const canLoad = isOwner && cache.every(({ state }) => state !== "bad");
  const machine = [
    checkSystemLibrary(),
    ...cache,
    ...(canLoad ? checkLibraries() : []),
    ...(await checkOcrProgram(config)),
    ...checkVariables(),
  ];
  if (!existsSync(config.dataDirectory)) {
    return [
      ...machine,
      {
        subject: "data directory",
        state: "bad",
        sentence: `${config.dataDirectory} does not exist.`,
        mend: "Name the right one with --data-dir, or start `lectern serve` to make it.",
      },
    ];
  }
  return [
    ...machine,
    ...checkUser(config.dataDirectory),
    ...(await checkDirectory(config.dataDirectory)),
    ...checkPlaces(config.dataDirectory),
    await checkFreeSpace(config.dataDirectory, config.diskReserve),
    await checkOwner(config),
    examineSecret(config.dataDirectory),
    ...checkDatabases(config.dataDirectory),
    ...checkChanges(config.dataDirectory),
    ...(await checkFiles(config.dataDirectory, deep)),
    ...(await checkIndexes(config.dataDirectory, indexBytes(config.indexMemory))),
    ...(canLoad ? await checkModels(config) : []),
  ];
}

function checkVariables(): Finding[] {
  return unknownVariables(process.env).map((variable) => ({
    subject: "environment",
    state: "warning",
    sentence: `${variable} is no option of Lectern and is ignored.`,
    mend: "`lectern serve --help` lists the variables.",
  }));
}
