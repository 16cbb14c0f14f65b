/** What the operator sees at which address. */
import type { Destination } from "../parts/shell.tsx";
import { Shell } from "../parts/shell.tsx";
import type { Session } from "../service/types.ts";
import { words } from "../words/index.ts";
import { BackupsPage } from "./backups.tsx";
import { CustomerPage } from "./customer.tsx";
import { CustomersPage } from "./customers.tsx";
import { JobsPage } from "./jobs.tsx";
import { LogPage } from "./log.tsx";
import { ModelsPage } from "./models.tsx";
import { NowherePage } from "./nowhere.tsx";
import { OverviewPage } from "./overview.tsx";
import { SecurityPage } from "./security.tsx";
import { UsagePage } from "./usage.tsx";

export interface PagesProps {
  /** Of the address. */
  readonly path: readonly string[];
  readonly session: Session;
  readonly version: string | null;
  readonly onSignOut: () => void;
}

export interface OperatorPagesProps extends PagesProps {
  readonly hasPassword: boolean;
  readonly onPasswordSet: () => void;
}

export function OperatorPages({ path, version, hasPassword, onPasswordSet, onSignOut }: OperatorPagesProps) {
  const [first = ""] = path;
  const destination = (name: string, icon: Destination["icon"], text: string): Destination => ({
    to: name === "" ? [] : [name],
    icon,
    text,
    isHere: first === name,
  });
  const { titles } = words;
  return (
    <Shell
      who={words.signIn.operator}
      version={version}
      path={path}
      onSignOut={onSignOut}
      destinations={[
        destination("", "overview", titles.overview),
        destination("customers", "customers", titles.customers),
        destination("usage", "usage", titles.usage),
        destination("jobs", "jobs", titles.jobs),
        destination("models", "models", titles.models),
        destination("backups", "backups", titles.backups),
        destination("log", "log", titles.log),
        destination("security", "lock", titles.security),
      ]}
    >
      {page()}
    </Shell>
  );

  function page() {
    const [, customerId, ...rest] = path;
    if (first === "customers" && customerId !== undefined)
      return <CustomerPage key={customerId} customerId={customerId} path={rest} />;
    if (path.length > 1) return <NowherePage />;
    switch (first) {
      case "":
        return <OverviewPage />;
      case "customers":
        return <CustomersPage />;
      case "usage":
        return <UsagePage />;
      case "jobs":
        return <JobsPage />;
      case "models":
        return <ModelsPage />;
      case "backups":
        return <BackupsPage />;
      case "log":
        return <LogPage />;
      case "security":
        return <SecurityPage hasPassword={hasPassword} onPasswordSet={onPasswordSet} />;
      default:
        return <NowherePage />;
    }
  }
}
