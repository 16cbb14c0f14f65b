/** Ways to other pages. */
import type { ComponentChildren } from "preact";
import { fragmentTo } from "../text/address.ts";

export function Link({
  to,
  className,
  children,
}: {
  to: readonly string[];
  className?: string;
  children: ComponentChildren;
}) {
  return (
    <a href={fragmentTo(...to)} class={className} dir="auto">
      {children}
    </a>
  );
}

export function goTo(...segments: readonly string[]): void {
  location.hash = fragmentTo(...segments);
}
