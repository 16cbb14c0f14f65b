/**
 * Cursors of listings: where the next page begins, encrypted and authenticated. A client can neither read one, which would tell how many
 * files the whole server has stored, nor make one up, nor use it for another listing than the one that gave it. They outlive a restart.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Access } from "../access/index.ts";
import { fail } from "../foundation/errors.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `listing` names what is listed, and whose it is: only the same one takes the cursor. base64url. */
export function sealCursor(access: Pick<Access, "sign">, listing: readonly string[], position: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(access), nonce).setAAD(Buffer.from(JSON.stringify(listing)));
  const sealed = Buffer.concat([cipher.update(position, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** The position again. Throws INVALID_REQUEST. */
export function openCursor(access: Pick<Access, "sign">, listing: readonly string[], cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const sealedFrom = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(access), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(JSON.stringify(listing)))
      .setAuthTag(bytes.subarray(NONCE_BYTES, sealedFrom));
    return Buffer.concat([decipher.update(bytes.subarray(sealedFrom)), decipher.final()]).toString("utf8");
  } catch (error) {
    throw fail(
      "INVALID_REQUEST",
      { reason: "cursor is none that this listing gave. Leave it out to begin with the first page." },
      undefined,
      error,
    );
  }
}

/** No link is ever signed that reads so. */
function keyOf(access: Pick<Access, "sign">): Buffer {
  return createHash("sha256").update(access.sign("key of cursors")).digest();
}
