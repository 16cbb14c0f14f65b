/**
 * What stands beside the main content of a page by what its author calls it: boxes for newsletters, related articles, buttons to share, notices of
 * cookies, advertisements. Names are in English on nearly all sites, whatever the language of their text.
 */

/** Words of classes and identities, each parted from the others by a space. */
const ASIDE =
  / (?:newsletters?|sign ?up|subscri(?:be|ption|ptions)|related|recommend(?:ed|ation|ations)|recirc\w*|trending|shar(?:e|ing)|share(?:bar|buttons?)|social|cookies?|consent|gdpr|promos?|adverts?|advertis\w+|ads?|sponsor(?:ed|s)?|outbrain|taboola|disqus|breadcrumbs?|pagination|copyright|tool ?tips?|pop ?overs?|pop ?ups?|flyouts?|rollover|modal|notification|disclosure|skip link|author (?:bio|box|card|content|details|info)|(?:post|about|about the) author|bio) /;
/** Words by which a page says that something from elsewhere is part of its text. */
const EMBEDDED = / (?:embed|embedded|caption|figure|image|photo|quote|tweet|video) /;
/** Elements that may hold the whole content, whatever they are called. */
const WHOLES: ReadonlySet<string> = new Set(["html", "body", "main", "article"]);
/** Share of the page's letters up to which something is beside its content. */
const LARGEST_SHARE = 0.2;
/** A page's article is so many times as large as the teasers of others. */
const TEASER_SHARE = 5;
const LINKED_HEADING = [1, 2, 3, 4, 5, 6].map((level) => `h${level} a[href], a[href] h${level}`).join(", ");

/** The part of an element, or of a text, that is looked at. */
export interface PageNode {
  readonly localName?: string;
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<PageNode>;
  getAttribute?(name: string): string | null;
  remove?(): void;
  querySelector?(selector: string): unknown;
}

const ELEMENT = 1;
const TEXT = 3;

/** Takes out of the tree what stands beside the content; whether there was anything. Takes time by the number of its nodes. */
export function removeAsides(root: PageNode): boolean {
  const measures = new Map<PageNode, Measure>();
  const all = measure(root, measures).letters;
  const size = (node: PageNode) => measures.get(node)?.letters ?? 0;
  const articles = outermost(root, "article");
  const largest = articles.reduce((most, article) => Math.max(most, size(article)), 0);
  const asides = asidesIn(
    root,
    (node) => size(node) <= all * LARGEST_SHARE && measures.get(node)?.hasTitle !== true && isNamedAside(node),
  );
  asides.push(...articles.filter((article) => size(article) * TEASER_SHARE <= largest && isTeaser(article)));
  for (const aside of asides) aside.remove?.();
  return asides.length > 0;
}

/** What lies in an element. */
interface Measure {
  letters: number;
  /** A main heading. */
  hasTitle: boolean;
}

function measure(node: PageNode, measures: Map<PageNode, Measure>): Measure {
  const own: Measure = { letters: 0, hasTitle: node.localName === "h1" };
  if (node.nodeType === TEXT) own.letters = node.textContent?.trim().length ?? 0;
  else if (node.localName !== "script" && node.localName !== "style") {
    for (const child of Array.from(node.childNodes)) {
      const { letters, hasTitle } = measure(child, measures);
      own.letters += letters;
      own.hasTitle ||= hasTitle;
    }
    measures.set(node, own);
  }
  return own;
}

function asidesIn(node: PageNode, isAside: (node: PageNode) => boolean): PageNode[] {
  return Array.from(node.childNodes).flatMap((child) => {
    if (child.nodeType !== ELEMENT) return [];
    return isAside(child) ? [child] : asidesIn(child, isAside);
  });
}

/** Elements of a name, those inside one another left out. */
function outermost(node: PageNode, name: string): PageNode[] {
  return Array.from(node.childNodes).flatMap((child) => (child.localName === name ? [child] : outermost(child, name)));
}

/** Whether its heading leads to the page where it is written out. */
function isTeaser(article: PageNode): boolean {
  return article.querySelector?.(LINKED_HEADING) != null;
}

function isNamedAside(node: PageNode): boolean {
  if (WHOLES.has(node.localName ?? "")) return false;
  const names = `${node.getAttribute?.("class") ?? ""} ${node.getAttribute?.("id") ?? ""}`;
  if (names.trim() === "") return false;
  const words = ` ${names
    .replace(/([a-z])(?=[A-Z])/g, "$1 ")
    .toLowerCase()
    .replace(/[^a-z]+/g, " ")} `;
  return ASIDE.test(words) && !EMBEDDED.test(words);
}
