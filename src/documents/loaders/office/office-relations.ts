/** How the parts of an Office Open XML package refer to one another (ECMA-376, Part 2). */
import { elementsOf } from "./xml-tree.ts";
import { partName, type DocumentPackage } from "./document-package.ts";

export interface Relation {
  /** The last word of its type, e.g. "notesSlide": the rest differs between editions of the standard. */
  readonly type: string;
  /** The name of the part referred to. */
  readonly target: string;
}

/** The relations of a part, "" for the package itself, by their ids; those to places outside are left out. */
export function relationsOf(parts: DocumentPackage, part: string): ReadonlyMap<string, Relation> {
  const slash = part.lastIndexOf("/") + 1;
  const relations = new Map<string, Relation>();
  const root = parts.tree(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
  for (const { attributes } of elementsOf(root, "Relationship")) {
    const { Id = "", Type = "", Target = "", TargetMode } = attributes;
    if (TargetMode !== "External")
      relations.set(Id, { type: Type.slice(Type.lastIndexOf("/") + 1), target: partName(part, Target) });
  }
  return relations;
}

/** The parts to which there are relations of a type. */
export function related(relations: ReadonlyMap<string, Relation>, type: string): string[] {
  return [...relations.values()].filter((relation) => relation.type === type).map(({ target }) => target);
}

/** The part that the package is there for. */
export function mainPart(parts: DocumentPackage, usual: string): string {
  const [named] = related(relationsOf(parts, ""), "officeDocument");
  return named !== undefined && parts.has(named) ? named : usual;
}
