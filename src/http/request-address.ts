/** Parts of a request's address. */

/** The query, decoded; what cannot be decoded is kept as it is. Never throws. */
export function queryOf(request: Request): URLSearchParams {
  const start = request.url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : request.url.slice(start + 1));
}

/** Scheme and authority that the client addressed, e.g. `http://localhost:8080`. */
export function originOf({ url }: Request, isSecure: boolean): string {
  const authority = url.indexOf("://") + 3;
  const pathStart = url.indexOf("/", authority);
  return `${isSecure ? "https" : "http"}://${url.slice(authority, pathStart < 0 ? undefined : pathStart)}`;
}

/** The same request, its address written with `http:`: Elysia looks for the path from where `https://` still has a slash. */
export function withPlainScheme<Asked extends Request>(request: Asked): Asked {
  const { url } = request;
  return url.startsWith("https:") ? Object.defineProperty(request, "url", { value: `http${url.slice(5)}` }) : request;
}

/** From the first slash behind the authority, as it is encoded, without the query. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start < 0 ? "/" : url.slice(start).replace(/[?#].*$/s, "");
}
