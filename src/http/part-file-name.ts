/**
 * The name of a file in a multipart form, as the client meant it (RFC 7578, section 4.2). Browsers, curl and `fetch` send a name as it
 * is, but for what would end the header: `%22` for a quotation mark, `%0D` and `%0A`. Others encode the whole name by percent signs,
 * which shows where it then holds letters beyond ASCII. Pure.
 */

/** Whatever a name says of folders is cut off; control characters go, and what is left of nothing is "unnamed". */
export function partFileName(given: string): string {
  const name = (decodedWhole(given) ?? decodedMarks(given)).toWellFormed();
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1).replace(/\p{Cc}/gu, "");
  return ["", ".", ".."].includes(last) ? "unnamed" : last;
}

const decodedMarks = (name: string): string =>
  name.replace(/%(22|0D|0A)/gi, (_mark, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Null for a name that is not percent-encoded UTF-8 with something beyond ASCII in it. */
function decodedWhole(name: string): string | null {
  if (/[^\x20-\x7e]/.test(name) || !/%[89a-f]/i.test(name)) return null;
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}
