/** `lectern doctor`: looks at a data directory and the machine, says what is wrong and how to mend it, or mends it. */
import { commonOptions, type Command } from "./command.ts";
import { yesFlag } from "./confirm.ts";
import { adoptLostFiles } from "./doctor/adopt.ts";
import { examine } from "./doctor/examine.ts";
import { printFinding } from "./doctor/finding.ts";
import { repair } from "./doctor/repair.ts";
import { fail } from "../foundation/errors.ts";
import { print, printJson } from "./terminal.ts";

export const doctorCommand: Command = {
  name: "doctor",
  summary:
    "Checks the data directory, the models, the native libraries and the machine; says what is wrong and how to mend it, or mends it.",
  usage: "[--deep] [--adopt | --repair [--dry-run] [--yes]]",
  positionals: { minimum: 0, maximum: 0 },
  flags: {
    deep: { value: null, sentence: "Also reads every stored file and compares it with what was uploaded." },
    adopt: {
      value: null,
      sentence:
        "Indexes the files of lost+found, and stored files that the database does not know, again. Only while no server runs.",
    },
    repair: {
      value: null,
      sentence:
        "Mends what can be mended, having said what that is and what is lost, and keeps what was damaged in before-repair. Only while no server runs.",
    },
    "dry-run": { value: null, sentence: "With --repair: says what would be done, and changes nothing." },
    ...yesFlag,
  },
  options: [...commonOptions, "model", "embedThreads", "diskReserve", "ocrProgram", "extractSeconds"],
  forAnyUser: true,
  notes: [
    "Works beside a running server, but for --adopt and --repair.",
    "Exit code 1 when something is wrong, or is left so; warnings alone are 0. With --dry-run, 1 when there is something to mend.",
  ],
  async run({ config, flags, json }) {
    const { deep, adopt, repair: mends, "dry-run": dryRun, yes } = flags;
    if (adopt !== undefined && mends !== undefined)
      throw fail("USAGE", { reason: "--repair does what --adopt does as well: give one of them." });
    if (mends === undefined && (dryRun !== undefined || yes !== undefined))
      throw fail("USAGE", { reason: "--dry-run and --yes belong to --repair." });
    if (adopt !== undefined) return adoptLostFiles(config, json);
    if (mends !== undefined)
      return repair(config, { deep: deep !== undefined, dryRun: dryRun !== undefined, yes }, json);
    const findings = await examine(config, deep !== undefined);
    if (json) printJson(findings);
    else for (const finding of findings) printFinding(finding);
    const wrong = findings.filter((finding) => finding.state === "bad").length;
    if (!json) print(wrong === 0 ? "Nothing is wrong." : `${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong.`);
    return wrong === 0 ? 0 : 1;
  },
};
