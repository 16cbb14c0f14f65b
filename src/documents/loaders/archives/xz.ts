/** Files packed by xz. */
import { packedFileLoader, Unpackable, Unpacked } from "./packed-file.ts";
import { xzStreams } from "./xz-streams.ts";

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0];

/** Numbers by which the library tells what it does not do. */
const REFUSED: ReadonlyMap<string | undefined, string> = new Map([
  ["4", "it is packed with a dictionary of more than 64 MB; pack it again with xz -9 or less"],
  ["6", "it is packed with options of xz that are not read here; pack it again without any"],
]);

export const xzLoader = packedFileLoader({
  id: "xz",
  format: { mimeType: "application/x-xz", extensions: ["xz", "txz"] },
  tarEndings: ["txz"],
  recognises: (bytes) => MAGIC.every((byte, index) => bytes[index] === byte),
  unpack,
});

async function unpack(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const { XzReadableStream } = await import("xz-decompress");
  const unpacked = new Unpacked(most);
  for (const stream of xzStreams(bytes)) {
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(stream);
        controller.close();
      },
    });
    try {
      for await (const piece of new XzReadableStream(source)) unpacked.add(piece);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  }
  return unpacked.bytes;
}

function refusalOf(error: unknown): Unpackable | null {
  const code = /error code (\d+)$/.exec((error as Error).message)?.[1];
  const reason = REFUSED.get(code);
  return reason === undefined ? null : new Unpackable(reason, { cause: error });
}
