/** What a page says of itself: in its head, in the data it gives to search engines (JSON-LD), and in marks on its dates and authors. */
import { oneLine } from "../../clean-text.ts";
import type { DocumentProperties } from "../../../foundation/place.ts";
import type { HtmlObserver } from "./html-blocks.ts";
import { languageTag } from "../../language-tag.ts";
import { linkedData } from "./linked-data.ts";
import { wordsOf } from "./page-blocks.ts";
import { writtenDate } from "../../written-date.ts";

/** Names of meta elements, the most trustworthy first. */
const META: Readonly<Record<"title" | "author" | "date" | "subject" | "language", readonly string[]>> = {
  title: ["og:title", "citation_title", "twitter:title", "dc.title", "dcterms.title", "title"],
  author: [
    "author",
    "citation_author",
    "dc.creator",
    "dcterms.creator",
    "article:author",
    "parsely-author",
    "sailthru.author",
  ],
  date: [
    "article:published_time",
    "citation_publication_date",
    "datepublished",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "date",
    "pubdate",
    "publish_date",
    "parsely-pub-date",
    "sailthru.date",
  ],
  subject: ["description", "og:description", "dc.description", "dcterms.description", "twitter:description"],
  language: ["content-language", "dc.language", "dcterms.language", "language", "og:locale"],
};
const KNOWN: ReadonlySet<string> = new Set(Object.values(META).flat());
/** UTF-16 units of a title. */
const LONGEST_TITLE = 1000;
/** UTF-16 units of data for search engines that are read. */
const LONGEST_DATA = 200_000;

export class PageDescription implements HtmlObserver {
  private titleElement = "";
  private readonly meta = new Map<string, string[]>();
  private language: string | undefined;
  private publication: string | undefined;
  private readonly linked: string[] = [];
  private reading: "title" | "data" | null = null;
  private pictures = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "svg") this.pictures += 1;
    if (name === "html") this.language ??= languageTag(attributes.lang ?? attributes["xml:lang"] ?? "");
    else if (name === "meta") this.openMeta(attributes);
    else if (name === "time") this.openTime(attributes);
    // Pictures have titles too.
    else if (name === "title" && this.titleElement === "" && this.pictures === 0) this.reading = "title";
    else if (name === "script" && attributes.type?.toLowerCase() === "application/ld+json") {
      this.reading = "data";
      this.linked.push("");
    }
  }

  text(text: string): void {
    if (this.reading === "title") this.titleElement += text.slice(0, LONGEST_TITLE - this.titleElement.length);
    else if (this.reading === "data" && (this.linked.at(-1)?.length ?? 0) <= LONGEST_DATA)
      this.linked[this.linked.length - 1] += text;
  }

  close(name: string): void {
    if (name === "svg") this.pictures = Math.max(0, this.pictures - 1);
    if (name === "title" || name === "script") this.reading = null;
  }

  /** `mainHeading`: the page's own, by which its title is told from its site's name. */
  properties(mainHeading: string): DocumentProperties {
    const data = linkedData(this.linked.filter((text) => text.length <= LONGEST_DATA));
    const [author = data.author] = this.named("author").filter((text) => !/^https?:/i.test(text));
    const dates = [...this.named("date"), data.date ?? "", this.publication ?? ""].map(writtenDate);
    const languages = [this.language, ...this.named("language").map(languageTag)];
    return {
      title: this.title([mainHeading, ...this.named("title"), data.title ?? ""]),
      author: author?.replace(/^by:? /i, ""),
      date: dates.find((date) => date !== undefined),
      subject: this.named("subject")[0],
      language: languages.find((language) => language !== undefined),
    };
  }

  /** The title element's text, as it stands elsewhere without the site's name; another title where there is none. */
  private title(others: readonly string[]): string {
    const title = oneLine(this.titleElement);
    const words = ` ${wordsOf(title)} `;
    const given = others.map((other) => oneLine(other)).filter((other) => wordsOf(other) !== "");
    if (title === "") return given.at(0) ?? "";
    return given.find((other) => other.length >= title.length / 3 && words.includes(` ${wordsOf(other)} `)) ?? title;
  }

  private named(kind: keyof typeof META): string[] {
    return META[kind].flatMap((name) => this.meta.get(name) ?? []).filter((text) => text.trim() !== "");
  }

  private openMeta(attributes: Readonly<Record<string, string>>): void {
    const { content = "" } = attributes;
    for (const key of ["name", "property", "itemprop", "http-equiv"]) {
      const name = attributes[key]?.toLowerCase().trim() ?? "";
      if (!KNOWN.has(name)) continue;
      const texts = this.meta.get(name);
      if (texts === undefined) this.meta.set(name, [content]);
      // Several authors stand one by one; of all else the first counts.
      else if (META.author.includes(name)) texts[0] = `${texts[0]}, ${content}`.slice(0, LONGEST_DATA);
    }
  }

  private openTime({ datetime, pubdate, itemprop }: Readonly<Record<string, string>>): void {
    if (datetime !== undefined && (pubdate !== undefined || itemprop?.toLowerCase() === "datepublished"))
      this.publication ??= datetime;
  }
}
