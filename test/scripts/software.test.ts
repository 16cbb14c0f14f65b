/** What is said of the software inside the executable: in the notices, and in the bill of materials, which is one by CycloneDX's own schema. */
import { describe, expect, test } from "bun:test";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { innerLibraries } from "../../scripts/executable/inner-libraries.ts";
import { thirdPartyNotices } from "../../scripts/executable/notices.ts";
import { softwareInside } from "../../scripts/executable/software.ts";
import { billOfMaterials } from "../../scripts/package/sbom.ts";
import { projectRoot } from "../../src/native/index.ts";

const SECONDS = 1_700_000_000;
const { packages } = softwareInside(projectRoot);
const libraries = packages.flatMap(({ inside }) => inside);

/** C and C++ that packages hold as WebAssembly or native libraries, each as its authors call it. */
const expected = [
  "opus",
  "vorbis",
  "ogg",
  "tesseract",
  "leptonica",
  "jpeg",
  "libpng",
  "libtiff",
  "zlib",
  "minimp3",
  "openjpeg",
].concat([
  "pdfium-jbig2",
  "onnxruntime",
  "protobuf",
  "eigen",
  "llama.cpp",
  "ggml",
  "sqlite",
  "JavaScriptCore and WebKit",
]);

describe("the notices", () => {
  const notices = thirdPartyNotices(projectRoot);

  test("name every package, and every library that is compiled into one", () => {
    for (const { name, version } of packages) expect(notices).toContain(`\n${name} ${version} (`);
    for (const { name, licence } of libraries)
      expect(notices).toMatch(new RegExp(`  ${RegExp.escape(name)}( [\\d.+]+)? \\(${RegExp.escape(licence)}\\)`));
    expect(libraries.map(({ name }) => name)).toEqual(expect.arrayContaining(expected));
  });

  test("hold the text of every licence of those libraries, one where there is a choice", () => {
    const texts = readdirSync(join(projectRoot, "scripts/executable/licences")).map((file) =>
      file.replace(/\.txt$/, ""),
    );
    // LICENSE is the first; LGPL 2.0 "or later" is taken as 2.1; what is in the public domain needs none.
    const known = new Set([...texts, "Apache-2.0", "LGPL-2.0-or-later", "LGPL-2.1-or-later", "blessing"]);
    for (const { name, licence } of libraries) {
      const enough = licence
        .split(" OR ")
        .some((choice) => choice.split(" AND ").every((one) => known.has(one.split(" WITH ")[0]!)));
      expect(enough, `${name}: ${licence}`).toBe(true);
    }
    for (const text of texts) expect(notices).toContain(`\n${text}\n`);
  });

  test("name the libraries of a package that is embedded, and of no other", () => {
    expect(innerLibraries(projectRoot, "elysia")).toEqual([]);
    expect(innerLibraries(projectRoot, "tokenizers").map(({ name }) => name)).toEqual(
      expect.arrayContaining(["oniguruma", "regex", "serde_json"]),
    );
  });
});

describe("the bill of materials", () => {
  const text = billOfMaterials(projectRoot, SECONDS);
  const bill = JSON.parse(text) as {
    components: { purl: string; hashes: unknown[]; components?: { name: string }[] }[];
  };

  test("is valid by the schema of CycloneDX 1.6", () => {
    const schema = (name: string): object =>
      JSON.parse(
        readFileSync(
          join(projectRoot, "node_modules/@cyclonedx/cyclonedx-library/res/schema", `${name}.SNAPSHOT.schema.json`),
          "utf8",
        ),
      ) as object;
    const ajv = new Ajv({ strict: false });
    // As the one refers to the others.
    for (const name of ["spdx", "jsf-0.82"])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    addFormats(ajv);
    ajv.addFormat("iri-reference", URL.canParse).addFormat("idn-email", true);
    const isValid = ajv.validate(schema("bom-1.6"), bill);
    expect(ajv.errors ?? []).toEqual([]);
    expect(isValid).toBe(true);
  });

  test("names each package by its address with its hash, and each library inside", () => {
    const versionOf = (name: string): string => packages.find((one) => one.name === name)!.version;
    const addresses = [
      `pkg:npm/elysia@${versionOf("elysia")}`,
      `pkg:npm/%40mozilla/readability@${versionOf("@mozilla/readability")}`,
    ];
    expect(bill.components.map(({ purl }) => purl)).toEqual(expect.arrayContaining(addresses));
    for (const { purl, hashes } of bill.components) expect(hashes, purl).toHaveLength(1);
    const inside = bill.components.flatMap(({ components = [] }) => components.map(({ name }) => name));
    expect(inside).toEqual(expect.arrayContaining(expected));
  });

  test("is the same for the same contents and time", () => {
    expect(billOfMaterials(projectRoot, SECONDS)).toBe(text);
    expect(billOfMaterials(projectRoot, SECONDS + 1)).not.toBe(text);
  });
});
