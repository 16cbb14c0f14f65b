/** 7z and RAR archives (RAR of version 1.5 and later): their files in order, each read as an upload of its own would be. Links are left out. */
import type { Content } from "../../content.ts";
import { memberPath } from "../../members.ts";
import type { ReadMember } from "../../members.ts";
import type { Format, Loader } from "../loader.ts";
import { isLeftOut } from "./archive-names.ts";
import { type ArchivedFile, archivedFiles, LibarchiveRefusal } from "./libarchive.ts";
import { isCutOffRar } from "./rar-end.ts";
import { sevenZipNames } from "./seven-zip-names.ts";
import { isSplitArchive } from "./split-archives.ts";

/** How the names of files are told from what libarchive gives for them. */
type NamesOf = (archive: Uint8Array) => Promise<(shown: string) => string>;

export const sevenZipLoader = loaderOf(
  "7z",
  { mimeType: "application/x-7z-compressed", extensions: ["7z"] },
  [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  sevenZipNames,
);
export const rarLoader = loaderOf(
  "rar",
  { mimeType: "application/vnd.rar", extensions: ["rar"] },
  [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07],
  async () => (shown) => shown,
);

function loaderOf(id: string, format: Format, magic: readonly number[], namesOf: NamesOf): Loader {
  return {
    id,
    formats: [format],
    recognise: (content) =>
      content.startsWith(...magic) && !isSplitArchive(content) ? { certainty: "certain", format } : null,
    load: async (content, _blocks, readMember) => {
      await readFiles(content, readMember, namesOf);
      if (isCutOffRar(content.bytes)) throw content.unreadable("it is cut off or damaged");
    },
  };
}

async function readFiles(content: Content, readMember: ReadMember, namesOf: NamesOf): Promise<void> {
  const budget = new Budget(content);
  let at: string | null = null;
  try {
    const nameOf = await namesOf(content.bytes);
    for await (const file of archivedFiles(content.bytes)) {
      budget.takeEntry();
      if (!file.isFile) continue;
      const name = nameOf(file.name);
      at = name;
      const bytes = unpacked(file, budget);
      if (!isLeftOut(name)) await readMember({ name, bytes });
      at = null;
    }
  } catch (error) {
    if (!(error instanceof LibarchiveRefusal)) throw error;
    if (at === null) throw content.unreadable(error.message, error);
    throw content.unreadableMember(memberPath(content, at), error.message, error);
  }
}

/** Also what is left out has to be unpacked to come to what follows it. */
function unpacked(file: ArchivedFile, budget: Budget): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const piece of file.pieces()) {
    budget.takeBytes(piece.length);
    pieces.push(piece.slice());
  }
  return Buffer.concat(pieces);
}

/** What may be unpacked of one archive. */
class Budget {
  private entries = 0;
  private bytes = 0;

  constructor(private readonly content: Content) {}

  takeEntry(): void {
    const { maxMembers } = this.content.limits;
    this.entries += 1;
    if (this.entries > maxMembers) throw this.content.overLimit(`it holds more than ${maxMembers} members`);
  }

  takeBytes(count: number): void {
    const { maxInflatedBytes, maxInflationRatio, ratioAppliesFrom } = this.content.limits;
    this.bytes += count;
    if (this.bytes > maxInflatedBytes)
      throw this.content.overLimit(`it unpacks to more than ${maxInflatedBytes} bytes`);
    if (this.bytes > ratioAppliesFrom && this.bytes > this.content.bytes.length * maxInflationRatio)
      throw this.content.overLimit(`it unpacks to more than ${maxInflationRatio} times its size`);
  }
}
