/** What HTML elements mean for the text in them. */

/** Never holds text of the page. */
export const NEVER_TEXT: ReadonlySet<string> = new Set(
  "script style noscript template svg math iframe object canvas audio video select button textarea head".split(" "),
);

/** Elements and roles of what surrounds the content of a page. */
const BOILERPLATE: ReadonlySet<string> = new Set(["nav", "aside", "footer", "dialog", "menu"]);
const BOILERPLATE_ROLES: ReadonlySet<string> = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "complementary",
  "dialog",
  "alert",
]);

/** Elements that begin and end a block. */
export const BLOCKS: ReadonlySet<string> = new Set(
  "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul".split(
    " ",
  ),
);

/** Inside a table cell these mean that the table lays out a page and is no table. */
export const LAYOUT: ReadonlySet<string> = new Set("h1 h2 h3 h4 h5 h6 ul ol table article section".split(" "));

/** Whether an element is hidden, or surrounds the content of a page. */
export function isBoilerplate(name: string, attributes: Readonly<Record<string, string>>): boolean {
  const { hidden, role = "", style = "" } = attributes;
  if (hidden !== undefined || attributes["aria-hidden"] === "true") return true;
  if (style !== "" && /display:\s*none|visibility:\s*hidden/i.test(style)) return true;
  return BOILERPLATE.has(name) || BOILERPLATE_ROLES.has(role.toLowerCase());
}
