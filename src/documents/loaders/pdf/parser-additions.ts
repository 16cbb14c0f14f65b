/**
 * What is added to pdf.js's parser, which passes over the texts that a PDF gives to what it draws (`/ActualText`): it tells them with
 * marked content and with the structure tree. The build puts the additions into the executable.
 */

/** The parser's file, as the end of its path. */
export const PARSER_FILE = "/node_modules/pdfjs-dist/build/pdf.worker.mjs";

export interface Addition {
  readonly find: RegExp;
  readonly replacement: string;
}

export const parserAdditions: readonly Addition[] = [
  {
    find: /class PartialEvaluator \{/,
    replacement: `/* Added by Lectern: the number and the text of marked content, whose properties stand there or are named in the resources. */
function markedContentOf(properties, resources) {
  try {
    const dict = properties instanceof Name ? resources.get("Properties")?.get(properties.name) : properties;
    if (!(dict instanceof Dict)) return [null, null];
    const text = dict.get("ActualText");
    return [dict.get("MCID"), typeof text === "string" ? stringToPDFString(text) : null];
  } catch (reason) {
    if (reason instanceof MissingDataException) throw reason;
    return [null, null];
  }
}
class PartialEvaluator {`,
  },
  {
    find: /args = \[args\[0\]\.name, args\[1\] instanceof Dict \? args\[1\]\.get\("MCID"\) : null\];/,
    replacement: "args = [args[0].name, ...markedContentOf(args[1], resources)];",
  },
  {
    find: /const mcid = args\[1\] instanceof Dict \? args\[1\]\.get\("MCID"\) : null;\s+textContent\.items\.push\(\{/,
    replacement: `const [mcid, actualText] = markedContentOf(args[1], resources);
              textContent.items.push({
                actualText,`,
  },
  {
    find: /let alt = node\.dict\.get\("Alt"\);/,
    replacement: `const actualText = node.dict.get("ActualText");
      if (typeof actualText === "string") obj.actualText = stringToPDFString(actualText);
      let alt = node.dict.get("Alt");`,
  },
];

/** The parser's source with the additions. Throws where the place of one is not there. */
export function withAdditions(source: string): string {
  return parserAdditions.reduce((before, { find, replacement }) => {
    if (!find.test(before)) throw new Error(`The addition to ${PARSER_FILE} at ${find} no longer applies.`);
    return before.replace(find, () => replacement);
  }, source);
}
