/** Files that are one other file, packed: notes.txt.gz is the notes, letters.tar.xz the archive. What unpacks them differs; what they may grow to does not. */
import type { BlockCollector } from "../../block-collector.ts";
import type { Content } from "../../content.ts";
import type { ReadMember } from "../../members.ts";
import type { Format, Loader } from "../loader.ts";

/** Thrown by what unpacks as soon as more comes out than it may. */
export class TooLarge extends Error {}

/** Thrown by what unpacks where it can say why it does not; the message is the rest of a sentence about the file. */
export class Unpackable extends Error {}

/** A way of packing. */
export interface Packing {
  readonly id: string;
  readonly format: Format;
  /** The ending that stands for ".tar" and this packing together. */
  readonly tarEndings: readonly string[];
  recognises(bytes: Uint8Array): boolean;
  /** What is inside: at most so many bytes. Throws TooLarge beyond them, Unpackable, and any other error where the bytes are damaged. */
  unpack(bytes: Uint8Array, most: number): Uint8Array | Promise<Uint8Array>;
}

export function packedFileLoader(packing: Packing): Loader {
  const { id, format } = packing;
  return {
    id,
    formats: [format],
    recognise: ({ bytes }) => (packing.recognises(bytes) ? { certainty: "certain", format } : null),
    load: async (content: Content, _blocks: BlockCollector, readMember: ReadMember) => {
      const bytes = await unpacked(content, packing);
      await readMember({ name: nameInside(content.name, packing), bytes }, { isWhole: true });
    },
  };
}

/** Unpacks until so many bytes are exceeded, from pieces as they come. */
export class Unpacked {
  private readonly pieces: Uint8Array[] = [];
  private length = 0;

  constructor(private readonly most: number) {}

  /** Takes a piece, which is not changed afterwards. Throws TooLarge. */
  add(piece: Uint8Array): void {
    this.length += piece.length;
    if (this.length > this.most) throw new TooLarge();
    this.pieces.push(piece);
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.pieces);
  }
}

/** "notes.txt" for "notes.txt.gz", "notes.tar" for "notes.tgz". */
function nameInside(name: string, { format, tarEndings }: Packing): string {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const stem = name.slice(0, -ending.length - 1);
  if (tarEndings.includes(ending)) return `${stem}.tar`;
  return format.extensions.includes(ending) ? stem : name;
}

async function unpacked(content: Content, { unpack }: Packing): Promise<Uint8Array> {
  const { maxInflatedBytes, maxInflationRatio, ratioAppliesFrom } = content.limits;
  const byRatio = Math.max(ratioAppliesFrom, content.bytes.length * maxInflationRatio);
  const most = Math.min(byRatio, maxInflatedBytes - content.budget.bytes);
  try {
    return await unpack(content.bytes, Math.max(1, most));
  } catch (error) {
    if (error instanceof Unpackable) throw content.unreadable(error.message, error);
    if (!isTooLarge(error)) throw content.unreadable("it is cut off or damaged", error);
    if (most < byRatio) throw content.overLimit(`it unpacks to more than ${maxInflatedBytes} bytes`);
    throw content.overLimit(`it unpacks to more than ${maxInflationRatio} times its size`);
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof TooLarge || (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
}
