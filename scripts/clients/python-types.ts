/** Shapes as Python's TypedDict, in words that Python 3.9 knows. Pure. */
import type { Field, NamedShape, Shape } from "./shape.ts";

const WORDS = {
  any: "Any",
  text: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
  binary: "bytes",
};
const KEYWORDS: ReadonlySet<string> = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
const LINE = 110;

type Record = Extract<Shape, { kind: "record" }>;

export function pythonTypes(shapes: readonly NamedShape[]): string {
  const classes: string[] = [];
  const aliases: string[] = [];
  for (const { name, description, shape } of shapes) {
    if (shape.kind === "record" && shape.fields.length > 0 && !shape.isOpen) declare(name, shape, description, classes);
    else aliases.push(`${commentOf(description, "")}${name} = ${aliasOf(typeOf(shape, name, classes))}\n`);
  }
  return `"""Shapes of the interface. Written by scripts/clients.ts from the OpenAPI document: do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

${[...classes, ...aliases].join("\n\n")}`;
}

/** An alias is evaluated when the module is read: only what is quoted may come later. */
const aliasOf = (type: string): string =>
  type.replace(/"[^"]*"|\b[A-Z]\w*\b(?!\[)/g, (word) =>
    word.startsWith('"') || word === "Any" || word === "None" ? word : `"${word}"`,
  );

/** Adds the class of a record, after those of the records within it. */
function declare(name: string, { fields }: Record, description: string | undefined, classes: string[]): void {
  const typed = fields.map((field) => ({
    ...field,
    type: typeOf(field.shape, name + capitalised(field.name), classes),
  }));
  if (fields.some((field) => KEYWORDS.has(field.name))) {
    const items = typed.map((field) => `${JSON.stringify(field.name)}: ${JSON.stringify(field.type)}`);
    const total = fields.every(({ isRequired }) => isRequired) ? "" : ", total=False";
    classes.push(`${name} = TypedDict("${name}", {${items.join(", ")}}${total})\n`);
    return;
  }
  const required = typed.filter(({ isRequired }) => isRequired);
  const optional = typed.filter(({ isRequired }) => !isRequired);
  const documented = docstring(description);
  // Python 3.9 has no NotRequired: what may be left out is in a class of its own.
  if (required.length > 0 && optional.length > 0) {
    classes.push(`class _${name}Always(TypedDict):\n${required.map(lineOf).join("")}`);
    classes.push(`class ${name}(_${name}Always, total=False):\n${documented}${optional.map(lineOf).join("")}`);
  } else {
    const total = optional.length > 0 ? ", total=False" : "";
    classes.push(`class ${name}(TypedDict${total}):\n${documented}${typed.map(lineOf).join("")}`);
  }
}

function typeOf(shape: Shape, name: string, classes: string[]): string {
  switch (shape.kind) {
    case "literal":
      return `Literal[${literalOf(shape)}]`;
    case "reference":
      return shape.name;
    case "list":
      return `List[${typeOf(shape.items, `${name}Item`, classes)}]`;
    case "union": {
      if (shape.members.every((member) => member.kind === "literal"))
        return `Literal[${shape.members.map(literalOf).join(", ")}]`;
      const members = shape.members.map((member) =>
        typeOf(member, member.kind === "record" ? name + capitalised(member.title ?? "") : name, classes),
      );
      return `Union[${[...new Set(members)].join(", ")}]`;
    }
    case "record":
      if (shape.fields.length === 0 || shape.isOpen) return "Dict[str, Any]";
      declare(name, shape, undefined, classes);
      return name;
    default:
      return WORDS[shape.kind];
  }
}

const literalOf = ({ value }: Extract<Shape, { kind: "literal" }>): string =>
  typeof value === "boolean" ? capitalised(String(value)) : JSON.stringify(value);

const lineOf = (field: Field & { readonly type: string }): string =>
  `${commentOf(field.description, "    ")}    ${field.name}: ${field.type}\n`;

const docstring = (description: string | undefined): string =>
  description === undefined ? "" : `    """${description.replaceAll("\\", "\\\\").replaceAll('"""', "'''")}"""\n\n`;

function commentOf(description: string | undefined, indent: string): string {
  if (description === undefined) return "";
  const lines: string[] = [];
  for (const word of description.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > LINE) lines.push(`${indent}# ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return `${lines.join("\n")}\n`;
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
