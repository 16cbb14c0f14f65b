/** The schemas of the OpenAPI document, reduced to what a language's types can say of them. Pure. */

export type Shape =
  | { readonly kind: "any" | "text" | "integer" | "number" | "boolean" | "null" | "binary" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "reference"; readonly name: string }
  | { readonly kind: "list"; readonly items: Shape }
  | { readonly kind: "union"; readonly members: readonly Shape[] }
  /** Fields by name; `isOpen`: others may be there too. */
  | {
      readonly kind: "record";
      readonly title: string | undefined;
      readonly fields: readonly Field[];
      readonly isOpen: boolean;
    };

export interface Field {
  readonly name: string;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly shape: Shape;
}

export interface NamedShape {
  readonly name: string;
  readonly description: string | undefined;
  readonly shape: Shape;
}

type Schema = Readonly<Record<string, unknown>>;

/** Names that mean something else in the languages of the clients. */
const RENAMED: Readonly<Record<string, string>> = { File: "StoredFile", Error: "ErrorBody" };
const REFERENCE = "#/components/schemas/";

/** What a schema may say beside its type that types have no words for: limits, which the server checks, and text for people. */
const WITHOUT_WORDS: ReadonlySet<string> = new Set(
  "title description default deprecated example examples readOnly writeOnly format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties contentMediaType contentEncoding discriminator not dependentRequired propertyNames if then else".split(
    " ",
  ),
);
const UNDERSTOOD: ReadonlySet<string> = new Set(
  "$ref type const enum oneOf anyOf allOf items properties required additionalProperties unevaluatedProperties".split(
    " ",
  ),
);

/** Throws for a schema that says something which is neither understood nor known to be left out. */
export function namedShapes(schemas: Readonly<Record<string, Schema>>): NamedShape[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    name: RENAMED[name] ?? name,
    description: schema.description as string | undefined,
    shape: shapeOf(schema, schemas),
  }));
}

function shapeOf(schema: Schema, all: Readonly<Record<string, Schema>>): Shape {
  for (const word of Object.keys(schema))
    if (!UNDERSTOOD.has(word) && !WITHOUT_WORDS.has(word) && !word.startsWith("x-"))
      throw new Error(
        `The clients' types know nothing of ${JSON.stringify(word)} in a schema: teach scripts/clients/shape.ts`,
      );
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.slice(REFERENCE.length);
    return { kind: "reference", name: RENAMED[name] ?? name };
  }
  if ("const" in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const alternatives = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  // Alternatives beside fields only say which of the fields go together.
  if (alternatives !== undefined && schema.properties === undefined)
    return union(alternatives.map((one) => shapeOf(one, all)));
  if (Array.isArray(schema.allOf)) return merged([...(schema.allOf as Schema[]), { ...schema, allOf: undefined }], all);
  if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => shapeOf({ ...schema, type }, all)));
  switch (schema.type ?? (schema.properties ? "object" : undefined)) {
    case undefined:
      return { kind: "any" };
    case "string":
      return { kind: schema.format === "binary" ? "binary" : "text" };
    case "integer":
    case "number":
    case "boolean":
    case "null":
      return { kind: schema.type as "integer" };
    case "array":
      return { kind: "list", items: shapeOf((schema.items ?? {}) as Schema, all) };
    case "object":
      return record(schema, all);
    default:
      throw new Error(`No type of JSON Schema: ${JSON.stringify(schema.type)}`);
  }
}

function record(schema: Schema, all: Readonly<Record<string, Schema>>): Shape {
  const required = new Set((schema.required ?? []) as string[]);
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  return {
    kind: "record",
    title: schema.title as string | undefined,
    fields: Object.entries(properties).map(([name, field]) => ({
      name,
      description: field.description as string | undefined,
      isRequired: required.has(name),
      shape: shapeOf(field, all),
    })),
    isOpen: schema.additionalProperties === true || typeof schema.additionalProperties === "object",
  };
}

/** All of the parts at once: records with each other's fields. */
function merged(parts: readonly Schema[], all: Readonly<Record<string, Schema>>): Shape {
  const whole = parts.map((part) => (typeof part.$ref === "string" ? all[part.$ref.slice(REFERENCE.length)]! : part));
  return record(
    {
      properties: Object.assign({}, ...whole.map(({ properties }) => properties ?? {})),
      required: whole.flatMap(({ required }) => (required ?? []) as string[]),
      additionalProperties: whole.some(({ additionalProperties }) => additionalProperties === true),
    },
    all,
  );
}

function literal(value: unknown): Shape {
  if (value === null) return { kind: "null" };
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    throw new Error(`No literal of the clients' types: ${JSON.stringify(value)}`);
  return { kind: "literal", value };
}

const union = (members: readonly Shape[]): Shape => (members.length === 1 ? members[0]! : { kind: "union", members });
