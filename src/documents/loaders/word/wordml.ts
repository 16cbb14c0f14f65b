/** Word documents in the XML of Word 2003 (WordprocessingML 2003): brought into the form of today, and read as .docx is. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import type { Loader } from "../loader.ts";
import { FlatPackage } from "../office/flat-package.ts";
import { hasRoot2003, office2003Format, PROPERTIES_2003, properties2003 } from "../office/office-2003.ts";
import { decodeXml, readXml, XmlRefusal } from "../office/xml.ts";
import { XmlTrees } from "../office/xml-tree.ts";
import { writeDocx } from "./docx.ts";
import { WordMlParts } from "./wordml-parts.ts";

const NAMESPACE = "http://schemas.microsoft.com/office/word/2003/wordml";

export const wordMlLoader: Loader = {
  id: "wordml",
  formats: [office2003Format],
  recognise: (content) =>
    hasRoot2003(content, "wordDocument", NAMESPACE) ? { certainty: "certain", format: office2003Format } : null,
  load,
};

async function load(content: Content, blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  const parts = new WordMlParts();
  const describe = new XmlTrees(PROPERTIES_2003, content.limits, parts, (said) =>
    blocks.describe(properties2003(said)),
  );
  try {
    readXml(decodeXml(content.bytes), describe, content.limits);
  } catch (error) {
    if (error instanceof XmlRefusal) throw content.unreadable(error.message, error);
    throw error;
  }
  await writeDocx(new FlatPackage(content, parts.parts), content, blocks, readMember);
}
