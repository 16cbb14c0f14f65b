/**
 * Finds the route by the address that the client sent. What Bun shows a handler as the request's address has its dots resolved
 * and its backslashes turned already: `DELETE /v1/datasets/../files` reads `DELETE /v1/files`, which would delete everything. Bun's
 * own routes, however, are matched against the request line itself. So every pattern is a route of Bun's too, and a request
 * is passed on only where both lead to the same place with the same parameters.
 */
import type { BunRequest } from "bun";
import { pathOf } from "./request-address.ts";

type Answer = (request: Request) => Response | Promise<Response>;

export interface Answers {
  /** The route's own. */
  readonly known: Answer;
  /** For what reaches a pattern by a detour. */
  readonly nowhere: Answer;
  /** For a method that the pattern does not have; `allowed` are those that it has. */
  readonly otherMethod: (allowed: readonly string[]) => Answer;
}

/**
 * Every pattern of the routes with the methods that it answers: HEAD where GET is one, and OPTIONS, the preflight, everywhere. A
 * pattern that has nothing but preflights is no address of its own.
 */
export function methodsByPattern(
  routes: readonly { readonly method: string; readonly path: string }[],
): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes)
    if (method !== "OPTIONS") methods.set(path, [...(methods.get(path) ?? []), method]);
  return new Map(
    [...methods].map(([path, own]) => [
      path,
      [...new Set(own.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))), "OPTIONS"],
    ]),
  );
}

/** For `Bun.serve`, by pattern (`/files/:fileId`). */
export function exactRoutes(
  methods: ReadonlyMap<string, readonly string[]>,
  { known, nowhere, otherMethod }: Answers,
): Record<string, (request: BunRequest) => Response | Promise<Response>> {
  return Object.fromEntries(
    [...methods].map(([pattern, allowed]) => {
      const refuse = otherMethod(allowed);
      return [
        pattern,
        (request: BunRequest) => {
          if (!isExact(pattern, request)) return nowhere(request);
          return allowed.includes(request.method) ? known(request) : refuse(request);
        },
      ];
    }),
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
