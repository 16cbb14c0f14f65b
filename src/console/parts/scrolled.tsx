/** What may be wider or longer than the page: it scrolls by itself, with the keyboard, too. */
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
    <section class={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
