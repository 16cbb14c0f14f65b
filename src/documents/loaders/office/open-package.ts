/** Opens documents that are made of parts, and tells their formats by the parts that they have. */
import type { Content } from "../../content.ts";
import { isZip, ZipRefusal } from "../../zip-container.ts";
import { namedFormat } from "../loader.ts";
import type { Format, Loader, Recognition } from "../loader.ts";
import type { DocumentPackage } from "./document-package.ts";
import { isFlatOpc, openFlatOpc } from "./flat-opc.ts";
import { XmlRefusal } from "./xml.ts";
import { ZipPackage } from "./zip-package.ts";

/** Why a package cannot be opened. */
type Refusal = ZipRefusal | XmlRefusal;

/** The file as a package. Throws UNREADABLE_FILE where the container is damaged. */
export function openPackage(content: Content): DocumentPackage {
  const found = openOrRefusal(content);
  if (isRefusal(found)) throw content.unreadable(found.message, found);
  return found;
}

/** A format that packages have by what `formatOf` sees in them. A container too damaged to look into is what its name says; loading it tells what is wrong. */
export function recognisePackage(
  loader: Pick<Loader, "formats">,
  content: Content,
  formatOf: (parts: DocumentPackage) => Format | null,
): Recognition | null {
  if (!isZip(content.bytes) && !isFlatOpc(content)) return null;
  const found = openOrRefusal(content);
  if (isRefusal(found)) {
    const named = namedFormat(loader, content);
    return named === undefined ? null : { certainty: "possible", format: named };
  }
  const format = formatOf(found);
  return format === null ? null : { certainty: "certain", format };
}

/** Each loader is asked whether it knows the same container. */
const opened = new WeakMap<Content, DocumentPackage | Refusal>();

function openOrRefusal(content: Content): DocumentPackage | Refusal {
  let found = opened.get(content);
  if (found === undefined) {
    found = tryOpen(content);
    opened.set(content, found);
  }
  return found;
}

function tryOpen(content: Content): DocumentPackage | Refusal {
  try {
    return isZip(content.bytes) ? new ZipPackage(content) : openFlatOpc(content);
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

function isRefusal(found: unknown): found is Refusal {
  return found instanceof ZipRefusal || found instanceof XmlRefusal;
}
