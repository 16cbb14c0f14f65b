/** The formats Lectern reads. Where two are equally certain of a file, the first wins. */
import { asciidocLoader } from "./text/asciidoc.ts";
import { bz2Loader } from "./archives/bz2.ts";
import { codeLoader } from "./text/code.ts";
import { csvLoader } from "./sheets/csv.ts";
import { diffLoader } from "./text/diff.ts";
import { docLoader } from "./word/doc.ts";
import { docxLoader } from "./word/docx.ts";
import { gzLoader } from "./archives/gz.ts";
import { epubLoader } from "./epub/epub.ts";
import { emlLoader } from "./mail/eml.ts";
import { htmlLoader } from "./html/html.ts";
import { icsLoader } from "./calendars/ics.ts";
import { iniLoader } from "./data/ini.ts";
import { jsonLoader } from "./data/json.ts";
import type { Loader } from "./loader.ts";
import { logLoader } from "./text/log.ts";
import { markdownLoader } from "./text/markdown.ts";
import { odpLoader } from "./opendocument/odp.ts";
import { audioLoader, videoLoader } from "./recordings/recordings.ts";
import { odtLoader } from "./opendocument/odt.ts";
import { mboxLoader } from "./mail/mbox.ts";
import { mhtmlLoader } from "./mail/mhtml.ts";
import { msgLoader } from "./mail/msg.ts";
import { orgLoader } from "./text/org.ts";
import { odsLoader } from "./sheets/ods.ts";
import { pdfLoader } from "./pdf/pdf.ts";
import { picturesLoader } from "./pictures/pictures.ts";
import { tarLoader } from "./archives/tar.ts";
import { pptxLoader } from "./slides/pptx.ts";
import { rtfLoader } from "./rtf/rtf.ts";
import { rstLoader } from "./text/restructured-text.ts";
import { rarLoader, sevenZipLoader } from "./archives/seven-zip-and-rar.ts";
import { spreadsheetMlLoader } from "./sheets/spreadsheetml.ts";
import { srtLoader, vttLoader } from "./text/subtitles.ts";
import { texLoader } from "./text/tex.ts";
import { pptLoader } from "./slides/ppt.ts";
import { textLoader } from "./text/text.ts";
import { wordMlLoader } from "./word/wordml.ts";
import { xlsLoader } from "./sheets/xls.ts";
import { xlsxLoader } from "./sheets/xlsx.ts";
import { zipLoader } from "./archives/zip.ts";
import { tnefLoader } from "./mail/tnef.ts";
import { tomlLoader } from "./data/toml.ts";
import { vcfLoader } from "./calendars/vcf.ts";
import { xzLoader } from "./archives/xz.ts";
import { zstLoader } from "./archives/zst.ts";
import { xmlLoader } from "./data/xml-file.ts";
import { yamlLoader } from "./data/yaml.ts";

export const loaders: readonly Loader[] = [
  pdfLoader,
  picturesLoader,
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
  wordMlLoader,
  spreadsheetMlLoader,
  zipLoader,
  tarLoader,
  gzLoader,
  bz2Loader,
  xzLoader,
  zstLoader,
  sevenZipLoader,
  rarLoader,
  rtfLoader,
  mhtmlLoader,
  mboxLoader,
  emlLoader,
  msgLoader,
  tnefLoader,
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
  audioLoader,
  videoLoader,
];

/** The formats as people speak of them, by the ids of their loaders. Each loader is in one family. */
export const formatFamilies: ReadonlyArray<readonly [string, readonly string[]]> = [
  ["PDF", ["pdf"]],
  ["scans and pictures", ["image"]],
  ["Word, Excel and PowerPoint, old and new", ["docx", "doc", "wordml", "xlsx", "xls", "spreadsheetml", "pptx", "ppt"]],
  ["OpenDocument files", ["odt", "odp", "ods"]],
  ["RTF", ["rtf"]],
  ["EPUB", ["epub"]],
  ["web pages", ["html", "mhtml"]],
  ["mail", ["eml", "msg", "tnef", "mbox"]],
  ["calendars and contacts", ["ics", "vcf"]],
  ["sound and video", ["audio", "video"]],
  ["subtitles", ["srt", "vtt"]],
  ["data (CSV, JSON, XML, YAML, TOML, INI)", ["csv", "json", "xml", "yaml", "toml", "ini"]],
  [
    "text of any kind (Markdown, TeX, source code, logs)",
    "text markdown code log diff tex rst asciidoc org".split(" "),
  ],
  ["archives of these (ZIP, TAR, 7Z)", ["zip", "tar", "gz", "bz2", "xz", "zst", "7z", "rar"]],
];

/** For error messages, e.g. "PDF; web pages; and plain text". */
export function supportedFormats(): string {
  const names = formatFamilies.map(([name]) => name);
  return `${names.slice(0, -1).join("; ")}; and ${names.at(-1)}`;
}
