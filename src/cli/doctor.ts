/** `lectern doctor`: looks at a data directory and the machine, says what is wrong and how to mend it. */
import { existsSync } from "node:fs";
import { unknownVariables, type Config } from "../options/config.ts";
import { otherOwner } from "../data-directory/owner.ts";
import { commonOptions, type Command } from "./command.ts";
import { adoptLostFiles } from "./doctor/adopt.ts";
import { checkCache } from "./doctor/cache.ts";
import { checkChanges } from "./doctor/changes.ts";
import { checkDatabases } from "./doctor/databases.ts";
import { checkDirectory, checkFreeSpace, checkUser } from "./doctor/directory.ts";
import { checkFiles } from "./doctor/files.ts";
import type { Finding } from "./doctor/finding.ts";
import { indexBytes } from "../foundation/machine-memory.ts";
import { checkIndexes } from "./doctor/indexes.ts";
import { checkLibraries, checkSystemLibrary } from "./doctor/machine.ts";
import { checkModels } from "./doctor/models.ts";
import { checkOwner } from "./doctor/owner.ts";
import { checkPlaces } from "./doctor/places.ts";
import { examineSecret } from "./doctor/secret.ts";
import { columns, print, printJson, wrap } from "./terminal.ts";

const marks = { good: "ok     ", warning: "warning", bad: "WRONG  " } as const;

export const doctorCommand: Command = {
  name: "doctor",
  summary:
    "Checks the data directory, the models, the native libraries and the machine; says what is wrong and how to mend it.",
  usage: "[--deep | --adopt]",
  positionals: { minimum: 0, maximum: 0 },
  flags: {
    deep: { value: null, sentence: "Also reads every stored file and compares it with what was uploaded." },
    adopt: {
      value: null,
      sentence:
        "Indexes the files of lost+found, and stored files that the database does not know, again. Only while no server runs.",
    },
  },
  options: [...commonOptions, "model", "embedThreads", "diskReserve"],
  forAnyUser: true,
  notes: ["Works beside a running server. Exit code 1 when something is wrong; warnings alone are 0."],
  async run({ config, flags, json }) {
    if (flags.adopt !== undefined) return adoptLostFiles(config, json);
    const findings = await examine(config, flags.deep !== undefined);
    if (json) printJson(findings);
    else for (const finding of findings) printFinding(finding);
    const wrong = findings.filter((finding) => finding.state === "bad").length;
    if (!json) print(wrong === 0 ? "Nothing is wrong." : `${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong.`);
    return wrong === 0 ? 0 : 1;
  },
};

async function examine(config: Config, deep: boolean): Promise<Finding[]> {
  // Libraries are unpacked, and a model is tried, for the owner alone: nothing of another user's may come to lie in what is the owner's.
  const isOwner = otherOwner(config.dataDirectory) === null;
  const cache = isOwner ? await checkCache(config) : [];
  const canLoad = isOwner && cache.every(({ state }) => state !== "bad");
  const machine = [checkSystemLibrary(), ...cache, ...(canLoad ? checkLibraries() : []), ...checkVariables()];
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

function printFinding({ subject, state, sentence, mend }: Finding): void {
  print(`${marks[state]}  ${subject}: ${sentence}`);
  if (mend !== null) for (const line of wrap(mend, columns() - 11)) print(`           ${line}`);
}
