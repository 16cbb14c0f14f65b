/** Small ONNX graphs for tests, in the few parts of its protobuf format that they take (onnx.proto3 of the ONNX project). */

type Bytes = readonly number[];

const varint = (value: number): Bytes => {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push((left % 128) + (left >= 128 ? 128 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return bytes;
};
const number = (field: number, value: number): Bytes => [...varint(field * 8), ...varint(value)];
const message = (field: number, content: Bytes | Uint8Array): Bytes => [
  ...varint(field * 8 + 2),
  ...varint(content.length),
  ...content,
];
const text = (field: number, value: string): Bytes => message(field, new TextEncoder().encode(value));

export const FLOAT = 1;
export const INT64 = 7;
export const BOOL = 9;

/** A node's attribute: a whole number, or several. */
type Attribute = readonly [name: string, value: number | readonly number[]];

export interface Node {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: readonly Attribute[];
}

export interface Value {
  readonly name: string;
  readonly type: number;
  /** Numbers, and names for those that are not fixed. */
  readonly shape: readonly (number | string)[];
}

export interface Constant {
  readonly name: string;
  readonly values: Float32Array | BigInt64Array;
  readonly shape: readonly number[];
}

export interface Graph {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly constants: readonly Constant[];
  readonly nodes: readonly Node[];
}

/** The file of a graph, for operator set 17. */
export function onnxFile({ inputs, outputs, constants, nodes }: Graph): Uint8Array {
  const graph = [
    ...nodes.flatMap((node) => message(1, nodeOf(node))),
    ...text(2, "test"),
    ...constants.flatMap((constant) => message(5, tensorOf(constant))),
    ...inputs.flatMap((input) => message(11, valueInfo(input))),
    ...outputs.flatMap((output) => message(12, valueInfo(output))),
  ];
  return Uint8Array.from([...number(1, 8), ...message(7, graph), ...message(8, number(2, 17))]);
}

function nodeOf({ operator, inputs, outputs, attributes = [] }: Node): Bytes {
  return [
    ...inputs.flatMap((name) => text(1, name)),
    ...outputs.flatMap((name) => text(2, name)),
    ...text(4, operator),
    ...attributes.flatMap(([name, value]) =>
      message(5, [
        ...text(1, name),
        ...(typeof value === "number"
          ? [...number(3, value), ...number(20, 2)]
          : [...value.flatMap((one) => number(8, one)), ...number(20, 7)]),
      ]),
    ),
  ];
}

function tensorOf({ name, values, shape }: Constant): Bytes {
  return [
    ...shape.flatMap((size) => number(1, size)),
    ...number(2, values instanceof Float32Array ? FLOAT : INT64),
    ...text(8, name),
    ...message(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  ];
}

function valueInfo({ name, type, shape }: Value): Bytes {
  const dimensions = shape.flatMap((size) => message(1, typeof size === "number" ? number(1, size) : text(2, size)));
  return [...text(1, name), ...message(2, message(1, [...number(1, type), ...message(2, dimensions)]))];
}
