/** Text whose paragraphs were broken into lines for the transport (RFC 3676, format=flowed) → its paragraphs. */

/** The text with soft line breaks undone, in quotations of any depth. `dropsSpace`: the space before each of them goes too. */
export function unflowed(text: string, dropsSpace: boolean): string {
  const joined: string[] = [];
  /** The line that goes on, in pieces, and how deep it is quoted. */
  let pieces: string[] = [];
  let depth = 0;
  const close = (): void => {
    if (pieces.length > 0) joined.push(`${">".repeat(depth)}${depth > 0 ? " " : ""}${pieces.join("")}`);
    pieces = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const quoted = /^>*/.exec(line)![0].length;
    const unquoted = line.slice(quoted);
    const said = unquoted.startsWith(" ") ? unquoted.slice(1) : unquoted;
    if (quoted !== depth || said === "-- ") close();
    depth = quoted;
    const isSoft = said.endsWith(" ") && said !== "-- ";
    pieces.push(isSoft && dropsSpace ? said.slice(0, -1) : said);
    if (!isSoft) close();
  }
  close();
  return joined.join("\n");
}
