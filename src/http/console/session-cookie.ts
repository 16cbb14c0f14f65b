/** The console's session in requests and answers: a cookie that scripts cannot read, and a header that only pages of the session can send. */
import { timingSafeEqual } from "node:crypto";
import type { ConsoleSession } from "../../access/index.ts";

const NAME = "lectern_session";
/** What a request shows beside the cookie, which browsers send unasked. */
export const REQUEST_HEADER = "x-console-csrf";
/** Whom an operator acts for, as `encodeURIComponent` writes it. */
export const CUSTOMER_HEADER = "x-console-customer";

/** The secret of the session that the cookie names; null without one. */
export function sessionSecretOf(headers: Headers): string | null {
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const [name, value] = pair.split("=", 2);
    if (name!.trim() === NAME) return value?.trim() || null;
  }
  return null;
}

/** Whether a request was made by a page that can read the session's answers. */
export function showsRequestSecret(headers: Headers, { requestSecret }: ConsoleSession): boolean {
  const shown = Buffer.from(headers.get(REQUEST_HEADER) ?? "");
  const expected = Buffer.from(requestSecret);
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}

/** `secret` null: the session has ended. */
export function sessionCookie(secret: string | null, seconds: number, isSecure: boolean): string {
  const parts = [`${NAME}=${secret ?? ""}`, "Path=/", "HttpOnly", "SameSite=Strict", `Max-Age=${seconds}`];
  return [...parts, ...(isSecure ? ["Secure"] : [])].join("; ");
}
