/** What every package of one release holds beside the executable, and the time that all of it bears. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { completionScripts } from "../../src/cli/completions.ts";
import { vocabulary } from "../../src/cli/completions/vocabulary.ts";
import { commands } from "../../src/cli/index.ts";
import { clientFiles } from "../clients/files.ts";
import { thirdPartyNotices } from "../executable/notices.ts";
import { root } from "../steps.ts";
import { manPage } from "./man-page.ts";

export interface Release {
  readonly version: string;
  /** Seconds since 1970: of the last commit, or SOURCE_DATE_EPOCH. */
  readonly seconds: number;
  readonly readme: string;
  readonly licence: string;
  readonly notices: string;
  readonly changelog: string;
  readonly manPage: string;
  /** By shell. */
  readonly completions: Readonly<Record<string, string>>;
  /** Texts by path. */
  readonly clients: Readonly<Record<string, string>>;
  /** For systemd. */
  readonly unit: string;
  readonly dockerfile: string;
}

export function describeRelease(seconds: number = timeOfRelease()): Release {
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const completed = vocabulary(commands);
  return {
    version,
    seconds,
    readme: read("README.md"),
    licence: read("LICENSE"),
    notices: thirdPartyNotices(root),
    changelog: read("CHANGELOG.md"),
    manPage: manPage(seconds),
    completions: Object.fromEntries(
      Object.entries(completionScripts).map(([shell, script]) => [shell, script(completed)]),
    ),
    clients: clientFiles(),
    unit: read("scripts/package/lectern.service"),
    dockerfile: read("scripts/package/Dockerfile"),
  };
}

/** So that the same source makes the same packages whenever they are made. */
function timeOfRelease(): number {
  const told = process.env.SOURCE_DATE_EPOCH;
  if (told) {
    if (!/^\d+$/.test(told)) throw new Error("SOURCE_DATE_EPOCH must be seconds since 1970, a whole number");
    return Number(told);
  }
  const asked = Bun.spawnSync(["git", "log", "-1", "--format=%ct"], { cwd: root, stderr: "ignore" });
  const seconds = asked.stdout.toString().trim();
  if (!/^\d+$/.test(seconds))
    throw new Error(
      "This folder is no git clone that tells when it was changed: set SOURCE_DATE_EPOCH, in seconds since 1970",
    );
  return Number(seconds);
}
