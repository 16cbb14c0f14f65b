/** Packages whose parts all lie in one XML file. */
import type { Content } from "../../content.ts";
import { DocumentPackage, partKey } from "./document-package.ts";

/** A part as it lies in the file: XML, or other bytes in base 64. */
export interface FlatPart {
  readonly name: string;
  readonly text: string;
  readonly isBase64: boolean;
}

export class FlatPackage extends DocumentPackage {
  private readonly parts = new Map<string, FlatPart>();

  constructor(content: Content, parts: readonly FlatPart[]) {
    super(content);
    for (const part of parts) this.parts.set(partKey(part.name), part);
  }

  get names(): readonly string[] {
    return [...this.parts.keys()];
  }

  nameOf(name: string): string {
    return this.parts.get(partKey(name))?.name ?? name;
  }

  has(name: string): boolean {
    return this.parts.has(partKey(name));
  }

  read(name: string): Uint8Array | null {
    const part = this.parts.get(partKey(name));
    return part === undefined ? null : Buffer.from(part.text, part.isBase64 ? "base64" : "utf8");
  }

  /** What the file declares of its encoding holds for it as a whole. */
  override text(name: string): string | null {
    const part = this.parts.get(partKey(name));
    return part === undefined || part.isBase64 ? super.text(name) : part.text;
  }
}
