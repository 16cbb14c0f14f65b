/** What every page begins with, and what stands where there is nothing yet, something failed, or is awaited. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Loaded } from "../service/load.ts";
import type { RequestError } from "../service/requests.ts";
import { words } from "../words/index.ts";
import { Icon, type IconName } from "./icons.tsx";

export interface PageProps {
  readonly title: string;
  /** Above the title, the way here. */
  readonly trail?: ComponentChildren;
  readonly lead?: ComponentChildren;
  /** Beside the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page's title is what is read out when it opens: the focus goes there. */
export function Page({ title, trail, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div class="page">
      <header class="page-head">
        <div>
          {trail && (
            <nav class="trail" aria-label={words.navigation.trail}>
              {trail}
            </nav>
          )}
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export interface SectionProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ title, lead, actions, children }: SectionProps) {
  return (
    <section class="section">
      <div class="section-head">
        <div>
          <h2>{title}</h2>
          {lead && <p class="soft">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** Where there is nothing yet: says what to do next. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children && <p class="soft">{children}</p>}
      {action}
    </div>
  );
}

export function Problem({ error, onRetry }: { error: RequestError | null; onRetry?: (() => void) | undefined }) {
  if (error === null) return null;
  return (
    <div class="notice is-bad" role="alert">
      <p dir="auto">{error.message}</p>
      {onRetry && (
        <button type="button" class="button small" onClick={onRetry}>
          {words.actions.tryAgain}
        </button>
      )}
    </div>
  );
}

/** What was loaded, once it is there. */
export function Shown<Value>({ of, children }: { of: Loaded<Value>; children: (value: Value) => ComponentChildren }) {
  return (
    <>
      <Problem error={of.error} onRetry={of.reload} />
      {of.value === null ? of.error === null && <p class="waiting">{words.loading}</p> : children(of.value)}
    </>
  );
}

/** A figure with what it counts. */
export function Figure({ label, value, note }: { label: string; value: ComponentChildren; note?: ComponentChildren }) {
  return (
    <div class="figure">
      <dt>{label}</dt>
      <dd>
        {value}
        {note && <small>{note}</small>}
      </dd>
    </div>
  );
}
