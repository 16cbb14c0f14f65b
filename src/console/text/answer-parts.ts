/** An answer cut at its citations. Pure. */

export type AnswerPart =
  | { readonly kind: "text"; readonly text: string }
  /** `[3]` names the third source; `text` is as it stands in the answer. */
  | { readonly kind: "citation"; readonly source: number; readonly text: string };

/** Parts whose texts together are exactly `answer`. A number that names none of `sources` stays text. */
export function answerParts(answer: string, sources: number): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let at = 0;
  for (const match of answer.matchAll(/\[(\d{1,6})\]/g)) {
    const source = Number(match[1]);
    if (source < 1 || source > sources) continue;
    if (match.index > at) parts.push({ kind: "text", text: answer.slice(at, match.index) });
    parts.push({ kind: "citation", source, text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < answer.length) parts.push({ kind: "text", text: answer.slice(at) });
  return parts;
}

/** Numbers of the sources that are cited. */
export function citedSources(parts: readonly AnswerPart[]): ReadonlySet<number> {
  return new Set(parts.flatMap((part) => (part.kind === "citation" ? [part.source] : [])));
}
