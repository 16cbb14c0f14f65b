/** Writes small ONNX graphs byte by byte, so that tests can have a model of every family without anybody's weights. */

const text = new TextEncoder();

/** A protobuf message under construction (ONNX's files are protobuf). */
export class Message {
  private readonly pieces: Uint8Array[] = [];

  integer(field: number, value: number): this {
    this.pieces.push(varint((field << 3) | 0), varint(value));
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.pieces.push(varint((field << 3) | 2), varint(value.length), value);
    return this;
  }

  string(field: number, value: string): this {
    return this.bytes(field, text.encode(value));
  }

  message(field: number, value: Message): this {
    return this.bytes(field, value.encode());
  }

  encode(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.pieces));
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

/** ONNX's numbers for element types. */
export const elementTypes = { float: 1, int8: 3, int32: 6, int64: 7, float16: 10 } as const;
type ElementType = keyof typeof elementTypes;

export function node(
  operator: string,
  inputs: string[],
  outputs: string[],
  attributes: Record<string, number> = {},
): Message {
  const message = new Message();
  for (const input of inputs) message.string(1, input);
  for (const output of outputs) message.string(2, output);
  message.string(3, `${operator} ${outputs[0]}`).string(4, operator);
  for (const [name, value] of Object.entries(attributes))
    message.message(5, new Message().string(1, name).integer(3, value).integer(20, 2));
  return message;
}

export function floats(name: string, shape: number[], values: Float32Array): Message {
  const message = new Message();
  for (const size of shape) message.integer(1, size);
  return message
    .integer(2, elementTypes.float)
    .string(8, name)
    .bytes(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

/** Weights as exported files keep them apart from the graph: `length` bytes of `file` from `offset` on. */
export function externalFloats(name: string, shape: number[], file: string, offset: number, length: number): Message {
  const message = new Message();
  for (const size of shape) message.integer(1, size);
  message.integer(2, elementTypes.float).string(8, name);
  for (const [key, value] of [
    ["location", file],
    ["offset", String(offset)],
    ["length", String(length)],
  ] as const)
    message.message(13, new Message().string(1, key).string(2, value));
  return message.integer(14, 1);
}

/** Weights of another type than float, given as their bytes. */
export function rawTensor(name: string, type: ElementType, shape: number[], bytes: Uint8Array): Message {
  const message = new Message();
  for (const size of shape) message.integer(1, size);
  return message.integer(2, elementTypes[type]).string(8, name).bytes(9, bytes);
}

export function integers(name: string, values: bigint[]): Message {
  return new Message()
    .integer(1, values.length)
    .integer(2, elementTypes.int64)
    .string(8, name)
    .bytes(9, new Uint8Array(BigInt64Array.from(values).buffer));
}

export function port(name: string, type: ElementType, shape: Array<number | string>): Message {
  const sizes = new Message();
  for (const size of shape)
    sizes.message(1, typeof size === "number" ? new Message().integer(1, size) : new Message().string(2, size));
  return new Message()
    .string(1, name)
    .message(2, new Message().message(1, new Message().integer(1, elementTypes[type]).message(2, sizes)));
}

export interface Graph {
  readonly nodes: Message[];
  readonly constants: Message[];
  readonly inputs: Message[];
  readonly outputs: Message[];
}

/** The whole file. */
export function onnxModel({ nodes, constants, inputs, outputs }: Graph): Uint8Array {
  const graph = new Message();
  for (const one of nodes) graph.message(1, one);
  graph.string(2, "graph");
  for (const one of constants) graph.message(5, one);
  for (const one of inputs) graph.message(11, one);
  for (const one of outputs) graph.message(12, one);
  return new Message()
    .integer(1, 8)
    .string(2, "lectern tests")
    .message(7, graph)
    .message(8, new Message().string(1, "").integer(2, 17))
    .encode();
}
