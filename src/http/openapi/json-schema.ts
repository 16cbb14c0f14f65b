/** Words to write JSON Schema with. */

export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: "string" };
export const nullableText: Schema = { type: ["string", "null"] };
export const integer: Schema = { type: "integer" };

/** All of the properties are required, unless `required` says otherwise. */
export const object = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema => ({ type: "object", properties, required });

export const arrayOf = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });

/** One that says which it is, whatever type generators make of a `const` without one. */
export const constant = (value: string | boolean): Schema => ({ type: typeof value, const: value });
