/** Lines by which pages lead elsewhere: what stands above lists of other pages, and what buttons say. They are few, and the same on many sites. */

const ENGLISH =
  "you (?:may|might) also (?:like|enjoy|be interested in)|related (?:news|posts?|articles?|stories|links|content|coverage)|recommended (?:for you|reading|stories|articles)|more (?:great |top )?(?:[\\p{L}\\d]+ )?(?:stories|articles|posts)|read (?:next|also)|trending now|most (?:read|popular|viewed)|popular posts|latest news";
const OTHERS =
  "das könnte (?:sie|dich) auch interessieren|mehr zum thema|lesen sie auch|à lire aussi|sur le même sujet|vous aimerez aussi|(?:también )?te puede interesar|(?:noticias|artículos) relacionad[ao]s|leia (?:também|mais)|leggi anche|potrebbe interessarti(?: anche)?|articoli correlati|lees ook|czytaj (?:także|też|również)|zobacz (?:także|też|również)|przeczytaj (?:także|też|również)|читайте также|похожие статьи|関連記事|相关阅读|相关文章|관련 ?기사";
const RELATED = new RegExp(`^(?:${ENGLISH}|${OTHERS})[\\s\\p{P}]*$`, "iu");
const CONTROL =
  /^(?:advert|advertisement|anzeige|werbung|publicité|publicidad|реклама|enlarge image|image \d+ of \/? ?\d+|loading(?: content)?|post (?:a )?comment|leave a comment|skip to (?:main )?content|share (?:this|on) .{0,20}|sign in|log ?in|subscribe|close|email the author|print(?: this)?)[\s\p{P}+]*$/iu;
const LONGEST = 80;

/** Whether what follows is a list of other pages by what is said above it. */
export function isRelatedHeading(text: string): boolean {
  return text.length <= LONGEST && RELATED.test(text);
}

/** Whether it is nothing but what a button or a mark of the page says. */
export function isControl(text: string): boolean {
  return text.length <= LONGEST && CONTROL.test(text.replace(/^[-\s]+/, ""));
}
