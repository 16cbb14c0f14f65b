/** Decides which loader reads a file: by its content first, by its name and declared type where the content leaves a choice. */
import type { Content } from "./content.ts";
import { loaders, supportedFormats } from "./loaders/registry.ts";
import { namedFormat } from "./loaders/loader.ts";
import type { Format, Loader, Recognition } from "./loaders/loader.ts";
import { foreignType } from "./foreign-type.ts";

export interface SniffedType {
  loader: Loader;
  mimeType: string;
  extension: string;
}

/** Throws UNSUPPORTED_FILE_TYPE, naming the type where it is known, when no loader reads the file. */
export async function sniff(content: Content): Promise<SniffedType> {
  const known = loaders.flatMap((loader) => {
    const recognition = loader.recognise(content);
    return recognition === null ? [] : [{ loader, ...recognition, weight: weigh(loader, recognition, content) }];
  });
  const best = known.toSorted((a, b) => b.weight - a.weight)[0];
  const type = best?.certainty === "certain" ? null : await foreignType(content, best !== undefined);
  if (best === undefined || type !== null) {
    throw content.refused("UNSUPPORTED_FILE_TYPE", {
      type: type ?? "binary data of an unknown type",
      supported: supportedFormats(),
    });
  }
  return { loader: best.loader, mimeType: best.format.mimeType, extension: extensionFor(best.format, content) };
}

function weigh(loader: Loader, { certainty }: Recognition, content: Content): number {
  if (certainty === "certain") return 4;
  if (loader.formats.some(({ extensions }) => extensions.includes(content.extension))) return 3;
  if (namedFormat(loader, content) !== undefined) return certainty === "likely" ? 2.5 : 1.5;
  return certainty === "likely" ? 2 : 1;
}

function extensionFor({ extensions }: Format, content: Content): string {
  return extensions.includes(content.extension) ? content.extension : (extensions[0] ?? "");
}
