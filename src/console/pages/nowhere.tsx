/** For an address that leads nowhere. */
import { Link } from "../parts/links.tsx";
import { Empty, Page } from "../parts/page.tsx";
import { words } from "../words/index.ts";

export function NowherePage() {
  return (
    <Page title={words.titles.nowhere}>
      <Empty
        icon="search"
        title={words.nowhere}
        action={
          <Link to={[]} className="button">
            {words.actions.home}
          </Link>
        }
      />
    </Page>
  );
}
