/** Parts of a request's address. */

/** The query, decoded; what cannot be decoded is kept as it is. Never throws. */
export function queryOf(request: Request): URLSearchParams {
  const start = request.url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : request.url.slice(start + 1));
}

/** Scheme and authority that the client addressed, e.g. `http://localhost:8080`. */
export function originOf(request: Request): string {
  const { url } = request;
  const pathStart = url.indexOf("/", url.indexOf("://") + 3);
  return pathStart < 0 ? url : url.slice(0, pathStart);
}

/** From the first slash behind the authority, as it is encoded, without the query. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start < 0 ? "/" : url.slice(start).replace(/[?#].*$/s, "");
}
