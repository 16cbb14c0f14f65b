/** Documents of other programs that lie in a part of an Office Open XML package, e.g. a workbook on a slide. */
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import { related, type Relation } from "./office-relations.ts";
import type { DocumentPackage } from "./document-package.ts";

/** Reads what a part shows of other documents, as far as they are not too deep in one another: the part itself is read all the same. */
export async function readEmbedded(
  content: Content,
  parts: DocumentPackage,
  relations: ReadonlyMap<string, Relation>,
  readMember: ReadMember,
): Promise<void> {
  if (content.depth >= content.limits.maxMemberDepth) return;
  for (const target of related(relations, "package")) {
    const bytes = parts.read(target);
    if (bytes !== null)
      await readMember({ name: target.slice(target.lastIndexOf("/") + 1), bytes }, { optional: true });
  }
}
