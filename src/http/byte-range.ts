/** The `Range` header (RFC 9110, section 14) for a file of known size. Pure. */

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of `size` bytes that is asked for; "whole" when none is, when the header is malformed or in another unit, or when it
 * asks for several ranges (which a server may answer with the whole); "unsatisfiable" when it lies beyond the end.
 */
export function readByteRange(header: string | null, size: number): ByteRange | "whole" | "unsatisfiable" {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "");
  if (match === null) return "whole";
  const [, first = "", last = ""] = match;
  if (first === "") {
    if (last === "") return "whole";
    const length = Number(last);
    return length === 0 || size === 0 ? "unsatisfiable" : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
