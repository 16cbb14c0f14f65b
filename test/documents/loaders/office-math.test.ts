/** Equations of Word and PowerPoint read as one line. */
import { expect, test } from "bun:test";
import { mathText } from "../../../src/documents/loaders/office/office-math.ts";
import { parseXml } from "../../../src/documents/loaders/office/xml-tree.ts";

const r = (text: string): string => `<m:r><m:rPr/><m:t>${text}</m:t></m:r>`;
const e = (content: string): string => `<m:e>${content}</m:e>`;

test.each<[string, string]>([
  [`${r("a")}${r("=b")}`, "a=b"],
  [`<m:f><m:num>${r("a+b")}</m:num><m:den>${r("2")}</m:den></m:f>`, "(a+b)/2"],
  [`<m:sSup>${e(r("x"))}<m:sup>${r("2")}</m:sup></m:sSup>`, "x^2"],
  [`<m:sSub>${e(r("x"))}<m:sub>${r("i+1")}</m:sub></m:sSub>`, "x_(i+1)"],
  [`<m:sSubSup>${e(r("x"))}<m:sub>${r("i")}</m:sub><m:sup>${r("2")}</m:sup></m:sSubSup>`, "x_i^2"],
  [`<m:sPre><m:sub>${r("a")}</m:sub><m:sup>${r("b")}</m:sup>${e(r("X"))}</m:sPre>`, "_a^bX"],
  [`<m:rad><m:radPr/><m:deg/>${e(r("x+1"))}</m:rad>`, "√(x+1)"],
  [`<m:rad><m:deg>${r("3")}</m:deg>${e(r("x"))}</m:rad>`, "√[3](x)"],
  [
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r("i=1")}</m:sub><m:sup>${r("n")}</m:sup>${e(r("i"))}</m:nary>`,
    "∑_(i=1)^n i",
  ],
  [`<m:nary><m:sub/><m:sup/>${e(r("f"))}</m:nary>`, "∫ f"],
  [`<m:func><m:fName>${r("sin")}</m:fName>${e(r("x"))}</m:func>`, "sin x"],
  [
    `<m:func><m:fName><m:limLow>${e(r("lim"))}<m:lim>${r("n")}</m:lim></m:limLow></m:fName>${e(r("x"))}</m:func>`,
    "lim_n x",
  ],
  [`<m:limUpp>${e(r("x"))}<m:lim>${r("n")}</m:lim></m:limUpp>`, "x^n"],
  [`<m:d>${e(r("a"))}${e(r("b"))}</m:d>`, "(a|b)"],
  [
    `<m:d><m:dPr><m:begChr m:val="["/><m:sepChr m:val=","/><m:endChr m:val="]"/></m:dPr>${e(r("a"))}${e(r("b"))}</m:d>`,
    "[a,b]",
  ],
  [`<m:m><m:mr>${e(r("1"))}${e(r("0"))}</m:mr><m:mr>${e(r("0"))}${e(r("1"))}</m:mr></m:m>`, "[1, 0; 0, 1]"],
  [`<m:eqArr>${e(r("a=1"))}${e(r("b=2"))}</m:eqArr>`, "a=1; b=2"],
  [`<m:acc><m:accPr><m:chr m:val="̂"/></m:accPr>${e(r("x"))}</m:acc>`, "x"],
])("%s → %s", (xml, text) => {
  const limits = { maxNesting: 50, maxTreeElements: 1000 };
  expect(mathText(parseXml(`<m:oMath>${xml}</m:oMath>`, limits)!)).toBe(text);
});
