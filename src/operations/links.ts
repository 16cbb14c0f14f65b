/** Signed download links. Whoever holds one may read that one file, without a credential, until it expires. */
import type { Access } from "../access/index.ts";

const DAY = 24 * 60 * 60;
/** Seconds that a new link is valid. */
export const LINK_LIFETIME = 7 * DAY;
/** A link is handed out unchanged until this many seconds before its end. */
const LAST_DAY = DAY;

/**
 * The address of a file's content, from the path on. A file's links follow one another in fixed periods counted from its
 * creation, so every request within a period gets the same one: valid for 7 days at the period's start, never less than one.
 */
export function downloadLink(
  access: Access,
  file: { readonly fileId: string; readonly created: number },
  now = Date.now(),
): string {
  const expires = linkExpiry(file.created, now);
  return `/v1/files/${file.fileId}/content?expires=${expires}&signature=${access.sign(linkText(file.fileId, String(expires)))}`;
}

/** Whether `expires` (Unix seconds, as the link spells it) and `signature` grant reading this file now. */
export function isValidLink(
  access: Access,
  fileId: string,
  expires: string,
  signature: string,
  now = Date.now(),
): boolean {
  return access.verify(linkText(fileId, expires), signature) && Number(expires) * 1000 > now;
}

/** Unix seconds. */
export function linkExpiry(created: number, now: number): number {
  const start = Math.floor(created / 1000);
  const period = LINK_LIFETIME - LAST_DAY;
  // Negative where the clock was set back behind the creation: no link is valid for longer than the others.
  const elapsedPeriods = Math.floor((Math.floor(now / 1000) - start) / period);
  return start + elapsedPeriods * period + LINK_LIFETIME;
}

function linkText(fileId: string, expires: string): string {
  return `GET /v1/files/${fileId}/content until ${expires}`;
}
