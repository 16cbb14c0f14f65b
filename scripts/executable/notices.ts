/** Gathers the licences of everything that goes into the executable, as those licences ask of whoever passes it on. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InnerLibrary } from "./inner-libraries.ts";
import { licenceTexts, softwareInside } from "./software.ts";

const LINE = "-".repeat(80);

/**
 * One text with the name, version and licence of Bun and of every package that Lectern depends on at run time, each followed by the
 * libraries that are compiled into it; at the end the licences of those.
 */
export function thirdPartyNotices(root: string): string {
  const { version, packages } = softwareInside(root);
  const sections = packages.map(
    ({ name, version, licence, folder, inside }) =>
      `${name} ${version} (${licence})\n\n${licenceTexts(folder)}${inside.length === 0 ? "" : `\n${listed(name, inside)}`}`,
  );
  return [
    `Lectern ${version} contains the following software.`,
    sections.join(`\n${LINE}\n\n`),
    "The licences of the libraries that are compiled into these packages. Apache-2.0 is printed in Lectern's own LICENSE.",
    ...innerTexts(root).map(([name, text]) => `${LINE}\n\n${name}\n\n${text}`),
  ].join("\n\n");
}

function listed(packageName: string, libraries: readonly InnerLibrary[]): string {
  const rows = libraries.map(({ name, version, licence, copyright, source }) => {
    const title = `  ${name}${version === null ? "" : ` ${version}`} (${licence}), ${source}`;
    return copyright === null ? title : `${title}\n    ${copyright}`;
  });
  return `Compiled into ${packageName}:\n\n${rows.join("\n")}\n`;
}

/** Licences by their SPDX names, with their texts. */
function innerTexts(root: string): [string, string][] {
  const folder = join(root, "scripts/executable/licences");
  return readdirSync(folder)
    .sort()
    .map((file) => [file.replace(/\.txt$/, ""), readFileSync(join(folder, file), "utf8")]);
}
