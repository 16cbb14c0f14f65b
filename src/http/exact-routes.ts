/**
 * Finds the route by the address that the client sent. What Bun shows a handler as the request's address has its dots resolved
 * and its backslashes turned already: `DELETE /v1/datasets/../files` reads `DELETE /v1/files`, which would delete everything. Bun's
 * own routes, however, are matched against the request line itself. So every pattern is a route of Bun's too, and a request
 * is passed on only where both lead to the same place with the same parameters.
 */
import type { BunRequest } from "bun";
import { pathOf } from "./request-address.ts";

type Answer = (request: Request) => Response | Promise<Response>;

/** For `Bun.serve`: `known` answers under the patterns (`/files/:fileId`), `nowhere` what reaches one of them by a detour. */
export function exactRoutes(
  patterns: Iterable<string>,
  known: Answer,
  nowhere: Answer,
): Record<string, (request: BunRequest) => Response | Promise<Response>> {
  return Object.fromEntries(
    [...patterns].map((pattern) => [
      pattern,
      (request: BunRequest) => (isExact(pattern, request) ? known(request) : nowhere(request)),
    ]),
  );
}

/** Whether the request's address still leads where the request line did: `params` are the line's own, decoded. */
function isExact(
  pattern: string,
  { url, params }: { readonly url: string; readonly params: Readonly<Record<string, string>> },
): boolean {
  const segments = pathOf(url).split("/");
  const expected = pattern.split("/");
  return (
    segments.length === expected.length &&
    expected.every((part, at) =>
      part.startsWith(":") ? names(segments[at]!, params[part.slice(1)]!) : segments[at] === part,
    )
  );
}

function names(segment: string, parameter: string): boolean {
  try {
    return segment !== "" && decodeURIComponent(segment) === parameter;
  } catch {
    // What cannot be decoded names nothing, and the route says so.
    return true;
  }
}
