/**
 * `bun scripts/clients.ts` writes what the clients in clients/ hold of the OpenAPI document, their types, and compiles the TypeScript
 * client into clients/typescript/dist/, which Node reads. A test holds the types against the document.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadConfig } from "../src/options/config.ts";
import { openApiDocument } from "../src/http/openapi/document.ts";
import { compileTypeScriptClient } from "./clients/compile.ts";
import { pythonTypes } from "./clients/python-types.ts";
import { namedShapes } from "./clients/shape.ts";
import { typeScriptTypes } from "./clients/typescript-types.ts";
import { root } from "./steps.ts";

/** Their text by their paths in the project. */
export function generatedTypes(): Readonly<Record<string, string>> {
  // OpenAI's interface has clients of its own.
  const config = loadConfig({ flags: { "openai-api": "off" }, environment: {} });
  const { paths, components } = openApiDocument(null, config);
  const versioned = Object.entries(paths).filter(([path]) => path.startsWith("/v1/"));
  const named = reachableFrom(versioned, components);
  const shapes = namedShapes(
    Object.fromEntries(Object.entries(components.schemas).filter(([name]) => named.has(`schemas/${name}`))),
  );
  return {
    "clients/typescript/src/types.generated.ts": typeScriptTypes(shapes),
    "clients/python/lectern/types.py": pythonTypes(shapes),
  };
}

/** Everything in components that is referred to, also by way of others: `schemas/File`. */
function reachableFrom(
  start: unknown,
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Set<string> {
  const found = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, reference = ""] of JSON.stringify(part).matchAll(/"#\/components\/([^"]+)"/g)) {
      if (found.has(reference)) continue;
      found.add(reference);
      const [kind = "", name = ""] = reference.split("/");
      look(components[kind]?.[name] ?? null);
    }
  };
  look(start);
  return found;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(generatedTypes())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [name, text] of Object.entries(compileTypeScriptClient())) {
    const path = join(root, "clients/typescript/dist", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
