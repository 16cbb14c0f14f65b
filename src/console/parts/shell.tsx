/** What surrounds every page: the way to the others, the theme, and the way out. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { applyTheme, chooseTheme, chosenTheme, THEMES } from "../service/theme.ts";
import { fragmentTo } from "../text/address.ts";
import { words } from "../words/index.ts";
import { Icon, Mark, type IconName } from "./icons.tsx";

export interface Destination {
  readonly to: readonly string[];
  readonly icon: IconName;
  readonly text: string;
  readonly isHere: boolean;
}

export interface ShellProps {
  /** Who is signed in. */
  readonly who: string;
  readonly version: string | null;
  readonly destinations: readonly Destination[];
  readonly path: readonly string[];
  readonly onSignOut: () => void;
  readonly children: ComponentChildren;
}

export function Shell({ who, version, destinations, path, onSignOut, children }: ShellProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [path.join("/")]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById("content")!.focus()}>
        {words.navigation.skip}
      </button>
      <header class="bar">
        <a class="brand" href={fragmentTo()}>
          <Mark />
          <span>{words.product}</span>
        </a>
        <button
          type="button"
          class="button quiet icon-only menu-button"
          aria-expanded={isOpen}
          aria-controls="menu"
          aria-label={words.navigation.menu}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? "close" : "menu"} />
        </button>
        <div id="menu" class={isOpen ? "menu is-open" : "menu"}>
          <nav aria-label={words.navigation.label}>
            <ul>
              {destinations.map(({ to, icon, text, isHere }) => (
                <li key={text}>
                  <a href={fragmentTo(...to)} aria-current={isHere ? "page" : undefined}>
                    <Icon name={icon} />
                    <span>{text}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div class="menu-foot">
            <ThemeSwitch />
            <p class="who">
              <span class="soft">{words.signIn.signedInAs}</span> <bdi>{who}</bdi>
            </p>
            <button type="button" class="button small" onClick={onSignOut}>
              <Icon name="leave" />
              {words.signIn.signOut}
            </button>
            <p class="soft fine">
              {version !== null && words.version(version)} <a href="/openapi">{words.navigation.interface}</a>
            </p>
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme);
  useEffect(() => applyTheme(theme), [theme]);
  return (
    <fieldset class="segments theme">
      <legend class="unseen">{words.theme.label}</legend>
      {THEMES.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === theme}
          aria-label={words.theme[one]}
          title={words.theme[one]}
          onClick={() => {
            chooseTheme(one);
            setTheme(one);
          }}
        >
          <Icon name={one} />
        </button>
      ))}
    </fieldset>
  );
}
