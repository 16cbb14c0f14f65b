/** XML of packages: any encoding, and nothing that it declares makes it grow. */
import { describe, expect, test } from "bun:test";
import { listNumber } from "../../../src/documents/loaders/office/list-numbers.ts";
import { decodeXml } from "../../../src/documents/loaders/office/xml.ts";
import { elementAt, parseXml, textIn } from "../../../src/documents/loaders/office/xml-tree.ts";
import { partName } from "../../../src/documents/loaders/office/document-package.ts";

const limits = { maxNesting: 10, maxTreeElements: 100 };

describe("XML is decoded as", () => {
  const utf16 = Buffer.from("\uFEFF<a>é</a>", "utf16le");
  test.each<[string, Uint8Array, string]>([
    ["UTF-8 where it says nothing", Buffer.from("<a>é</a>"), "<a>é</a>"],
    ["UTF-8 with a mark", Buffer.from("\uFEFF<a>é</a>"), "<a>é</a>"],
    ["UTF-16 by its mark", utf16, "<a>é</a>"],
    ["UTF-16 of the other byte order", Buffer.from(utf16).swap16(), "<a>é</a>"],
    [
      "what it declares",
      Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>\xcf</a>', "latin1"),
      '<?xml version="1.0" encoding="windows-1251"?><a>П</a>',
    ],
    [
      "UTF-8 where it declares what cannot be",
      Buffer.from("<?xml version='1.0' encoding='UTF-16'?><a>é</a>"),
      "<?xml version='1.0' encoding='UTF-16'?><a>é</a>",
    ],
    [
      "UTF-8 where it declares what nobody knows",
      Buffer.from("<?xml version='1.0' encoding='x-y'?><a>é</a>"),
      "<?xml version='1.0' encoding='x-y'?><a>é</a>",
    ],
  ])("%s", (_, bytes, text) => expect(decodeXml(bytes)).toBe(text));
});

test("entities that it declares stay as they are written", () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY y "&x;&x;"><!ENTITY f SYSTEM "file:///etc/passwd">]><a>&y;&f;&amp;&#65;</a>';
  expect(textIn(parseXml(bomb, limits))).toBe("&y;&f;&A");
});

test("names come without their prefixes, whatever these are", () => {
  const root = parseXml('<x:a xmlns:x="y"><b><x:c>text</x:c></b></x:a>', limits);
  expect(textIn(elementAt(root, "b", "c"))).toBe("text");
});

test("parts are named relative to the part that refers to them, and never outside of the package", () => {
  expect(partName("ppt/slides/slide1.xml", "../media/a.png")).toBe("ppt/media/a.png");
  expect(partName("ppt/slides/slide1.xml", "/docProps/core.xml")).toBe("docProps/core.xml");
  expect(partName("a.opf", "../../text/./a.xhtml#b?c")).toBe("text/a.xhtml");
});

test.each([
  [1, "decimal", "1"],
  [7, "padded", "07"],
  [4, "roman", "iv"],
  [1994, "ROMAN", "MCMXCIV"],
  [27, "letter", "aa"],
  [3, "LETTER", "C"],
  [0, "roman", "0"],
  [1e9, "letter", "1000000000"],
] as const)("%p in style %s is %s", (value, style, text) => expect(listNumber(value, style)).toBe(text));
