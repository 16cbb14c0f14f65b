/** Shapes as TypeScript. Pure. */
import type { Field, NamedShape, Shape } from "./shape.ts";

const WORDS = {
  any: "unknown",
  text: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
  binary: "Blob",
};

export function typeScriptTypes(shapes: readonly NamedShape[]): string {
  const declarations = shapes.map(({ name, description, shape }) => {
    const comment = commentOf(description, "");
    return shape.kind === "record" && !shape.isOpen
      ? `${comment}export interface ${name} ${typeOf(shape, "")}\n`
      : `${comment}export type ${name} = ${typeOf(shape, "")};\n`;
  });
  return `/** Shapes of the interface. Written by scripts/clients.ts from the OpenAPI document: do not edit. */\n\n${declarations.join("\n")}`;
}

function typeOf(shape: Shape, indent: string): string {
  switch (shape.kind) {
    case "literal":
      return JSON.stringify(shape.value);
    case "reference":
      return shape.name;
    case "list": {
      const items = typeOf(shape.items, indent);
      return /^[\w"]+$/.test(items) ? `${items}[]` : `(${items})[]`;
    }
    case "union":
      return [...new Set(shape.members.map((member) => typeOf(member, indent)))].join(" | ");
    case "record":
      if (shape.fields.length === 0) return "{ [key: string]: unknown }";
      return `{\n${shape.fields.map((field) => fieldOf(field, `${indent}  `)).join("")}${indent}}${shape.isOpen ? " & { [key: string]: unknown }" : ""}`;
    default:
      return WORDS[shape.kind];
  }
}

function fieldOf({ name, description, isRequired, shape }: Field, indent: string): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `${commentOf(description, indent)}${indent}${key}${isRequired ? "" : "?"}: ${typeOf(shape, indent)};\n`;
}

const commentOf = (description: string | undefined, indent: string): string =>
  description === undefined ? "" : `${indent}/** ${description.replaceAll("*/", "*\\/")} */\n`;
