/** The interface as an OpenAPI 3.1 document. Tests hold it against the routes there really are, and against what they answer. */
import { version } from "../../../package.json";
import { fieldLimits } from "../../foundation/field-limits.ts";
import { errorExamples } from "./error-answers.ts";
import type { Schema } from "./json-schema.ts";
import { headers, sharedAnswers, tags, type OpenApiPaths } from "./operation.ts";
import { assistantPaths } from "./operations/assistants.ts";
import { datasetPaths } from "./operations/datasets.ts";
import { filePaths } from "./operations/files.ts";
import { openAiPaths } from "./operations/openai.ts";
import { retrievalPaths } from "./operations/retrieval.ts";
import { serverPaths } from "./operations/server.ts";
import { tokenPaths } from "./operations/tokens.ts";
import { openAiSchemas } from "./openai-schemas.ts";
import { schemasFor, type Chosen } from "./schemas.ts";

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: OpenApiPaths;
  readonly components: Readonly<Record<string, Schema>> & { readonly schemas: Readonly<Record<string, Schema>> };
}

/** `publicUrl`: the origin that clients use, when it is known. */
export function openApiDocument(publicUrl: string | null, chosen: Chosen): OpenApiDocument {
  const paths = {
    ...retrievalPaths,
    ...filePaths,
    ...datasetPaths,
    ...tokenPaths,
    ...assistantPaths,
    ...(chosen.openaiApi === "on" && openAiPaths),
    ...serverPaths,
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Lectern",
      version,
      description: `Search in your own documents. Errors are \`{error, message, …}\`; credentials come as \`Authorization: Bearer …\` or \`x-service-key: …\`. Another method than an address has is answered with 405 (\`METHOD_NOT_ALLOWED\`), those it has in \`Allow\`. JSON may be ${fieldLimits.json.maxDepth} levels deep, and a body of it hold ${fieldLimits.body.maxParts} objects, arrays and commas.`,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: publicUrl ?? "/", description: "This server." }],
    tags: tagsOf(paths).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...schemasFor(chosen), ...(chosen.openaiApi === "on" && openAiSchemas) },
      responses: sharedAnswers,
      examples: onlyReferred("examples", errorExamples, [paths, sharedAnswers]),
      headers,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key or a frontend token." },
        serviceKey: {
          type: "apiKey",
          in: "header",
          name: "x-service-key",
          description: "The same, in a header of its own.",
        },
      },
    },
  };
}

/** Those that operations have. */
function tagsOf(paths: OpenApiPaths): [name: string, description: string][] {
  const used = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((one) => one.tags)));
  return Object.entries(tags).filter(([name]) => used.has(name));
}

/** Those of the components that something refers to. */
function onlyReferred(
  kind: string,
  components: Readonly<Record<string, Schema>>,
  within: unknown,
): Readonly<Record<string, Schema>> {
  const written = JSON.stringify(within);
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => written.includes(`"#/components/${kind}/${name}"`)),
  );
}
