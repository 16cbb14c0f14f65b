/** What RTF's control words mean for the text (RTF 1.9.1): characters, ends of paragraphs, and groups that hold no text. */

export const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["line", "\n"],
  ["lbr", "\n"],
  ["emdash", "—"],
  ["endash", "–"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
  ["bullet", "•"],
  ["emspace", "\u2003"],
  ["enspace", "\u2002"],
  ["qmspace", "\u2005"],
  ["zwj", "\u200d"],
  ["zwnj", "\u200c"],
  ["ltrmark", "\u200e"],
  ["rtlmark", "\u200f"],
  ["~", "\u00a0"],
  ["_", "-"],
]);

/** Ends of paragraphs. A line break after a backslash is one. */
export const PARAGRAPH_ENDS: ReadonlySet<string> = new Set(["par", "sect", "page", "column", "\n", "\r"]);

/** Groups whose text is none of the document's, although nothing marks them as such. */
export const NO_TEXT: ReadonlySet<string> = new Set(
  "colortbl pict objdata shprslt nonshppict nonesttables fldinst sp sn sv bkmkstart bkmkend xe tc rxe txe private revtbl filetbl listname pnseclvl atnid atndate atnref atnicn atnparent atrfstart atrfend ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn falt panose template leveltext levelnumbers mmathPr".split(
    " ",
  ),
);

/** Groups that are marked as unknown to old programs and hold text all the same, or groups that do. */
export const MARKED: ReadonlySet<string> = new Set(
  "shpinst shptxt do dptxbxtext nesttableprops annotation atnauthor pn pntext listtext ud footnote fldrslt".split(" "),
);

/** Groups that hold groups with text, and no text themselves. */
export const HOLDERS: ReadonlySet<string> = new Set(["shpinst", "do", "nesttableprops", "pn", "upr", "info"]);

export const HEADS_AND_FEET: ReadonlySet<string> = new Set(
  "header headerl headerr headerf footer footerl footerr footerf".split(" "),
);
