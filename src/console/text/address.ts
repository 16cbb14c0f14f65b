/** Addresses inside the page, which stand in its fragment and so never reach a server. Pure. */

/** `#/customers/a%2Fb` → `["customers", "a/b"]`; what cannot be decoded stays as it is. */
export function readFragment(fragment: string): string[] {
  return fragment
    .replace(/^#?\/?/, "")
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });
}

/** The fragment that leads there. */
export function fragmentTo(...segments: readonly string[]): string {
  return `#/${segments.map(encodeURIComponent).join("/")}`;
}

/** A query, with what is null left out; empty without any. */
export function queryWith(parameters: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== null);
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
