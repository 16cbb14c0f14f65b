/** What a customer sees at which address. */
import { Shell } from "../parts/shell.tsx";
import type { Workspace } from "../service/workspace.ts";
import { words } from "../words/index.ts";
import { AccountPage } from "./account.tsx";
import { DatasetPages } from "./dataset-pages.tsx";
import { NowherePage } from "./nowhere.tsx";
import type { PagesProps } from "./operator-pages.tsx";
import { PlaygroundPage } from "./playground/playground.tsx";

export function CustomerPages({ path, session, version, onSignOut }: PagesProps) {
  const workspace: Workspace = {
    customerId: session.customerId!,
    acting: null,
    base: [],
    mayChange: session.mayChange,
  };
  const [first = "", ...rest] = path;
  const { titles } = words;
  return (
    <Shell
      who={workspace.customerId}
      version={version}
      path={path}
      onSignOut={onSignOut}
      destinations={[
        { to: [], icon: "search", text: titles.playground, isHere: first === "" || first === "search" },
        { to: ["datasets"], icon: "datasets", text: titles.datasets, isHere: first === "datasets" },
        { to: ["account"], icon: "account", text: titles.account, isHere: first === "account" },
      ]}
    >
      {page()}
    </Shell>
  );

  function page() {
    if (first === "" || first === "search") return <PlaygroundPage workspace={workspace} datasetId={rest[0] ?? null} />;
    if (first === "datasets") return <DatasetPages workspace={workspace} path={rest} />;
    if (first === "account") return <AccountPage workspace={workspace} />;
    return <NowherePage />;
  }
}
