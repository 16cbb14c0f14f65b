/** The formats Lectern reads. Where two are equally certain of a file, the first wins. */
import { asciidocLoader } from "./asciidoc.ts";
import { codeLoader } from "./code.ts";
import { csvLoader } from "./csv.ts";
import { diffLoader } from "./diff.ts";
import { docLoader } from "./doc.ts";
import { docxLoader } from "./docx.ts";
import { gzLoader } from "./gz.ts";
import { epubLoader } from "./epub.ts";
import { emlLoader } from "./eml.ts";
import { htmlLoader } from "./html.ts";
import { icsLoader } from "./ics.ts";
import { iniLoader } from "./ini.ts";
import { jsonLoader } from "./json.ts";
import type { Loader } from "./loader.ts";
import { logLoader } from "./log.ts";
import { markdownLoader } from "./markdown.ts";
import { odpLoader } from "./odp.ts";
import { odtLoader } from "./odt.ts";
import { mboxLoader } from "./mbox.ts";
import { mhtmlLoader } from "./mhtml.ts";
import { msgLoader } from "./msg.ts";
import { orgLoader } from "./org.ts";
import { odsLoader } from "./ods.ts";
import { pdfLoader } from "./pdf.ts";
import { tarLoader } from "./tar.ts";
import { pptxLoader } from "./pptx.ts";
import { rtfLoader } from "./rtf.ts";
import { rstLoader } from "./restructured-text.ts";
import { srtLoader, vttLoader } from "./subtitles.ts";
import { texLoader } from "./tex.ts";
import { pptLoader } from "./ppt.ts";
import { textLoader } from "./text.ts";
import { xlsLoader } from "./xls.ts";
import { xlsxLoader } from "./xlsx.ts";
import { zipLoader } from "./zip.ts";
import { tomlLoader } from "./toml.ts";
import { vcfLoader } from "./vcf.ts";
import { xmlLoader } from "./xml-file.ts";
import { yamlLoader } from "./yaml.ts";

export const loaders: readonly Loader[] = [
  pdfLoader,
  docxLoader,
  pptxLoader,
  odtLoader,
  odpLoader,
  epubLoader,
  docLoader,
  pptLoader,
  xlsxLoader,
  xlsLoader,
  odsLoader,
  zipLoader,
  tarLoader,
  gzLoader,
  rtfLoader,
  mhtmlLoader,
  mboxLoader,
  emlLoader,
  msgLoader,
  htmlLoader,
  jsonLoader,
  icsLoader,
  vcfLoader,
  srtLoader,
  vttLoader,
  xmlLoader,
  yamlLoader,
  tomlLoader,
  iniLoader,
  csvLoader,
  markdownLoader,
  codeLoader,
  logLoader,
  diffLoader,
  texLoader,
  rstLoader,
  asciidocLoader,
  orgLoader,
  textLoader,
];

/** For error messages, e.g. "PDF, HTML and plain text". */
export function supportedFormats(): string {
  const names = loaders.map(({ name }) => name);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
