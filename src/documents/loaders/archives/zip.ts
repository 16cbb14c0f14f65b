/** ZIP archives: their members in order, each read as an upload of its own would be. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import { memberPath } from "../../members.ts";
import type { ReadMember } from "../../members.ts";
import { isZip, zipMembers, ZipReader, ZipRefusal } from "../../zip-container.ts";
import type { ZipMember } from "../../zip-container.ts";
import { isLeftOut, undeclaredNames } from "./archive-names.ts";
import { isSplitArchive } from "./split-archives.ts";
import type { Loader, Recognition } from "../loader.ts";

const format = { mimeType: "application/zip", extensions: ["zip"] };

/** By these a zip container is one document, or a program, and no archive of documents. */
const DOCUMENT_PARTS = ["[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF", "Index/Document.iwa"];

export const zipLoader: Loader = { id: "zip", formats: [format], recognise, load };

function recognise(content: Content): Recognition | null {
  const { bytes, limits } = content;
  if (!isZip(bytes) || isSplitArchive(content)) return null;
  try {
    const members = zipMembers(bytes, limits);
    return DOCUMENT_PARTS.some((name) => members.has(name)) ? null : { certainty: "certain", format };
  } catch (error) {
    // What is wrong with it is said when it is loaded.
    if (error instanceof ZipRefusal) return { certainty: "likely", format };
    throw error;
  }
}

async function load(content: Content, _blocks: BlockCollector, readMember: ReadMember): Promise<void> {
  const reader = new ZipReader(content.bytes, content.limits);
  const members = [...membersOf(content)];
  const nameOf = await undeclaredNames(members.flatMap(({ undeclaredName }) => undeclaredName ?? []));
  for (const member of members) {
    const name = (member.undeclaredName && nameOf(member.undeclaredName)) ?? member.name;
    if (isLeftOut(name)) continue;
    await readMember({ name, bytes: unpacked(content, reader, { ...member, name }) });
  }
}

function membersOf(content: Content): Iterable<ZipMember> {
  try {
    return zipMembers(content.bytes, content.limits).values();
  } catch (error) {
    if (error instanceof ZipRefusal) throw content.unreadable(error.message, error);
    throw error;
  }
}

function unpacked(content: Content, reader: ZipReader, member: ZipMember): Uint8Array {
  try {
    return reader.read(member);
  } catch (error) {
    if (error instanceof ZipRefusal)
      throw content.unreadableMember(memberPath(content, member.name), error.message, error);
    throw error;
  }
}
