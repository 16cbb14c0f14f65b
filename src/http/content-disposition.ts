/** `Content-Disposition: attachment` for any file name (RFC 6266, RFC 5987). Pure. */

/** An ASCII name for old clients, and the true one in UTF-8. Nothing in a name can end the header or name a folder. */
export function attachment(name: string): string {
  const safe = name.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_") || "file";
  const ascii = safe.replace(/[^\x20-\x7e]/g, "_").replace(/["%;]/g, "_");
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
