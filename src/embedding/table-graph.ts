/**
 * Recognises the graph of a model that is a table of token vectors, as `models/train/export.py` writes it, and cuts it in two: the
 * weighted sum of a text's rows, which Lectern computes many times as fast itself (weighted-sum.ts), and what is made of it. Pure.
 */
import { createHash } from "node:crypto";
import {
  bytesField,
  constantOf,
  contentsOf,
  FIELDS,
  fieldsOf,
  textOf,
  type Constant,
  type Field,
} from "./onnx-file.ts";

/** What the sum is computed from. */
export interface TableParameters {
  /** Where the table's rows lie in the model's folder, packed, and their scales in half precision. */
  readonly rows: NonNullable<Constant["external"]>;
  readonly scales: NonNullable<Constant["external"]>;
  /** A token at the place p, counted from 1, weighs `fading` × exp(max(0, p - firstFaded) / fade) + `least`. */
  readonly firstFaded: number;
  readonly fade: number;
  readonly fading: number;
  readonly least: number;
}

export interface TableGraph {
  readonly parameters: TableParameters;
  /** The name of the sum, which is the input of the rest. */
  readonly sum: string;
  /** A graph of its own: `sum` to the model's output. */
  readonly rest: Uint8Array;
}

const SUM = "sum";
/** The first operator of what is made of the sum. */
const FIRST_OF_REST = "LpNormalization";
/** Constants that say how the table is packed and read. */
const OF_STRUCTURE = [
  ["one_axis", "token_axis", "second_axis", "in_blocks", "in_halves", "in_whole_blocks", "in_dimensions"],
  ["nothing", "zero_point", "fifteen", "four"],
].flat();
/** SHA-256 over the operators before the rest, and those constants: together they say what is computed. */
const STRUCTURE = "dcece5d75698011d01404ef3c597028e5ff21c7cfd9fa1ef4086e9b3cf2f3676";

/** null where the file holds another graph. */
export function tableGraphOf(file: Uint8Array): TableGraph | null {
  const model = fieldsOf(file);
  const [graphBytes] = contentsOf(model, FIELDS.model.graph);
  const graph = fieldsOf(graphBytes ?? new Uint8Array());
  const nodes = contentsOf(graph, FIELDS.graph.node);
  const first = nodes.findIndex((node) => textOf(fieldsOf(node), FIELDS.node.operator) === FIRST_OF_REST);
  const tensors = contentsOf(graph, FIELDS.graph.initializer);
  const constants = tensors.map(constantOf);
  const byName = new Map(constants.map((constant) => [constant.name, constant]));
  if (structureOf(nodes.slice(0, Math.max(0, first)), byName) !== STRUCTURE) return null;

  const isOfSum = new Set([
    ...nodes.slice(0, first),
    ...contentsOf(graph, FIELDS.graph.input),
    ...tensors.filter((_, index) => constants[index]!.external !== null),
  ]);
  const kept = graph.filter(({ content }) => content === null || !isOfSum.has(content));
  const rest = [...kept.map(({ whole }) => whole), bytesField(FIELDS.graph.input, inputOfRest(graph))];
  return {
    parameters: parametersOf(byName),
    sum: SUM,
    rest: Buffer.concat(
      model.map(({ number, whole }) =>
        number === FIELDS.model.graph ? bytesField(number, Buffer.concat(rest)) : whole,
      ),
    ),
  };
}

function structureOf(nodes: readonly Uint8Array[], constants: ReadonlyMap<string, Constant>): string {
  const hash = createHash("sha256");
  for (const node of nodes) hash.update(node);
  for (const name of OF_STRUCTURE) hash.update(name).update(constants.get(name)?.raw ?? "");
  return hash.digest("hex");
}

/** It has the type and shape of the output. */
function inputOfRest(graph: readonly Field[]): Uint8Array {
  const output = fieldsOf(contentsOf(graph, FIELDS.graph.output)[0]!);
  const others = output.filter(({ number }) => number !== FIELDS.value.name);
  return Buffer.concat([
    bytesField(FIELDS.value.name, new TextEncoder().encode(SUM)),
    ...others.map(({ whole }) => whole),
  ]);
}

function parametersOf(constants: ReadonlyMap<string, Constant>): TableParameters {
  const number = (name: string): number => {
    const { buffer, byteOffset } = constants.get(name)!.raw!;
    return new DataView(buffer, byteOffset).getFloat32(0, true);
  };
  return {
    rows: constants.get("rows")!.external!,
    scales: constants.get("scales")!.external!,
    firstFaded: number("first_faded"),
    fade: number("fade"),
    fading: number("fading"),
    least: number("least"),
  };
}
