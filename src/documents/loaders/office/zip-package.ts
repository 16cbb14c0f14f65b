/** Packages whose parts lie in a zip container, as nearly all do. */
import type { Content } from "../../content.ts";
import { zipMembers, type ZipMember, ZipReader } from "../../zip-container.ts";
import { DocumentPackage, partKey } from "./document-package.ts";

export class ZipPackage extends DocumentPackage {
  private readonly reader: ZipReader;
  private readonly parts = new Map<string, ZipMember>();

  /** Throws ZipRefusal where the container is damaged. */
  constructor(content: Content) {
    super(content);
    this.reader = new ZipReader(content.bytes, content.limits);
    for (const member of zipMembers(content.bytes, content.limits).values())
      this.parts.set(partKey(member.name), member);
  }

  get names(): readonly string[] {
    return [...this.parts.keys()];
  }

  nameOf(name: string): string {
    return this.parts.get(partKey(name))?.name.replaceAll("\\", "/") ?? name;
  }

  has(name: string): boolean {
    return this.parts.has(partKey(name));
  }

  read(name: string): Uint8Array | null {
    const member = this.parts.get(partKey(name));
    return member === undefined ? null : this.refusing(() => this.reader.read(member));
  }
}
