/** What may be wider or longer than the page: it scrolls by itself, with the keyboard, too. It is no landmark, of which a page has few. */
import type { ComponentChildren } from "preact";

export function Scrolled({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ComponentChildren;
}) {
  return (
    <figure class={className} tabIndex={0} aria-label={label}>
      {children}
    </figure>
  );
}
