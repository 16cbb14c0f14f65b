/** The few parts of ONNX's protobuf format that it takes to look into a graph and to cut it (onnx.proto3 of the ONNX project). Pure. */

/** One field of a message. */
export interface Field {
  readonly number: number;
  /** With its tag, as it stands in the message. */
  readonly whole: Uint8Array;
  /** Of a number: null. */
  readonly content: Uint8Array | null;
}

/** A constant of a graph. */
export interface Constant {
  readonly name: string;
  /** Its bytes, or null where they lie in another file. */
  readonly raw: Uint8Array | null;
  /** Where they lie in another file: its name, and the offset and length in bytes. */
  readonly external: { readonly location: string; readonly offset: number; readonly length: number } | null;
}

/** Field numbers of ModelProto, GraphProto, NodeProto, TensorProto, StringStringEntryProto and ValueInfoProto. */
export const FIELDS = {
  model: { graph: 7 },
  graph: { node: 1, initializer: 5, input: 11, output: 12 },
  node: { operator: 4 },
  tensor: { name: 8, raw: 9, external: 13 },
  entry: { key: 1, value: 2 },
  value: { name: 1 },
} as const;

const BYTES = 2;
const WIDTHS: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** Throws RangeError where the bytes are no message. */
export function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++];
      if (byte === undefined) throw new RangeError("The file is no ONNX graph.");
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const tag = varint();
    let content: Uint8Array | null = null;
    if (tag % 8 === BYTES) {
      const length = varint();
      content = message.subarray(at, at + length);
      at += length;
    } else if (tag % 8 === 0) varint();
    else at += WIDTHS[tag % 8] ?? NaN;
    if (!(at <= message.length)) throw new RangeError("The file is no ONNX graph.");
    fields.push({ number: Math.floor(tag / 8), whole: message.subarray(start, at), content });
  }
  return fields;
}

/** A field that holds bytes, with its tag. */
export function bytesField(number: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([varintOf(number * 8 + BYTES), varintOf(content.length), content]);
}

/** The contents of all fields with this number. */
export function contentsOf(fields: readonly Field[], number: number): Uint8Array[] {
  return fields.flatMap((field) => (field.number === number && field.content ? [field.content] : []));
}

/** The first field with this number as text; "" where there is none. */
export function textOf(fields: readonly Field[], number: number): string {
  return new TextDecoder().decode(contentsOf(fields, number)[0]);
}

/** Reads a TensorProto. */
export function constantOf(tensor: Uint8Array): Constant {
  const fields = fieldsOf(tensor);
  const entries = new Map(
    contentsOf(fields, FIELDS.tensor.external).map((entry) => {
      const parts = fieldsOf(entry);
      return [textOf(parts, FIELDS.entry.key), textOf(parts, FIELDS.entry.value)];
    }),
  );
  const location = entries.get("location");
  return {
    name: textOf(fields, FIELDS.tensor.name),
    raw: contentsOf(fields, FIELDS.tensor.raw)[0] ?? null,
    external:
      location === undefined
        ? null
        : { location, offset: Number(entries.get("offset") ?? 0), length: Number(entries.get("length") ?? NaN) },
  };
}

function varintOf(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Uint8Array.from([...bytes, value]);
}
