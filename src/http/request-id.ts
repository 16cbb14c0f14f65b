/** The id under which a request is found in the log again: the caller's own, when it can safely be written, else ours. */

const ACCEPTABLE = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** `given` is the X-Request-Id header. */
export function requestIdOf(given: string | null): string {
  return given !== null && ACCEPTABLE.test(given) ? given : crypto.randomUUID();
}
