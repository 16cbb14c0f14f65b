/** A picture in JPEG 2000 → a grey one that is recognised: pdf.js has a decoder of it, and shows the picture as a page that it covers. */
import type { Content } from "../../content.ts";
import { openPdf } from "../pdf/open-pdf.ts";
import { scanOn } from "../pdf/scan-on-page.ts";
import type { PictureSize } from "./picture-size.ts";

/** Units of a page to a point: as fine as pages are looked at. */
const UNIT = 72 / 300;

/** In the form that Netpbm calls PGM, of 20 million points at most. Throws where it cannot be decoded. */
export async function decodedJpeg2000(content: Content, size: PictureSize): Promise<Uint8Array> {
  const document = await openPdf(content, pageOf(content.bytes, size));
  try {
    const picture = await scanOn(await document.getPage(1));
    if (picture === null) throw new Error("the picture cannot be decoded");
    return picture;
  } finally {
    await document.loadingTask.destroy();
  }
}

function pageOf(bytes: Uint8Array, { width, height }: PictureSize): Uint8Array {
  const [across, down] = [width * UNIT, height * UNIT];
  const drawing = `${across} 0 0 ${down} 0 0 cm /Picture Do`;
  const objects: readonly (readonly [dictionary: string, stream?: Uint8Array])[] = [
    ["/Type /Catalog /Pages 2 0 R"],
    ["/Type /Pages /Kids [3 0 R] /Count 1"],
    [
      `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${across} ${down}] /Resources << /XObject << /Picture 4 0 R >> >> /Contents 5 0 R`,
    ],
    [`/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /Filter /JPXDecode`, bytes],
    ["", Buffer.from(drawing)],
  ];
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.7\n")];
  let length = parts[0]!.length;
  const offsets = objects.map(([dictionary, stream], index) => {
    const offset = length;
    const head = `${index + 1} 0 obj\n<< ${dictionary}`;
    const object =
      stream === undefined
        ? [Buffer.from(`${head} >>\nendobj\n`)]
        : [Buffer.from(`${head} /Length ${stream.length} >>\nstream\n`), stream, Buffer.from("\nendstream\nendobj\n")];
    parts.push(...object);
    length += object.reduce((sum, part) => sum + part.length, 0);
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table)]);
}
