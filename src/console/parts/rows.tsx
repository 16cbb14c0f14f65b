/** A list of things: each with its name, what is to be known of it, and what can be done with it. */
import type { ComponentChildren } from "preact";
import { words } from "../words/index.ts";

export function Rows({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <ul class="rows" aria-label={label}>
      {children}
    </ul>
  );
}

export interface RowProps {
  readonly title: ComponentChildren;
  readonly facts: readonly ComponentChildren[];
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Row({ title, facts, actions, children }: RowProps) {
  return (
    <li class="row">
      <div class="row-main">
        <div class="row-title">{title}</div>
        <ul class="facts">
          {facts
            .filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== "")
            .map((fact, at) => (
              <li key={at}>{fact}</li>
            ))}
        </ul>
        {children}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </li>
  );
}

/** `share`: 0-1; null where nobody knows how much is left. */
export function Progress({ share, label }: { share: number | null; label: string }) {
  return <progress max={1} {...(share !== null && { value: share })} aria-label={label} />;
}

export interface PagingProps {
  /** Cursors that led here, the first page's null among them. */
  readonly trail: readonly (string | null)[];
  readonly next: string | null;
  readonly onChange: (trail: readonly (string | null)[]) => void;
}

/** From page to page of a long listing. */
export function Paging({ trail, next, onChange }: PagingProps) {
  if (trail.length === 1 && next === null) return null;
  return (
    <nav class="paging" aria-label={words.paging.label}>
      <button type="button" class="button" disabled={trail.length === 1} onClick={() => onChange(trail.slice(0, -1))}>
        {words.paging.previous}
      </button>
      <span class="soft">{words.paging.page(trail.length)}</span>
      <button type="button" class="button" disabled={next === null} onClick={() => onChange([...trail, next])}>
        {words.paging.next}
      </button>
    </nav>
  );
}
