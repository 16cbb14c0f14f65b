/** Signatures for download links: base64url HMAC-SHA256. */
import { createHmac, timingSafeEqual } from "node:crypto";

export interface Links {
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

export function createLinks(key: Uint8Array): Links {
  const digest = (text: string) => createHmac("sha256", key).update(text).digest();
  return {
    sign: (text) => digest(text).toString("base64url"),
    verify(text, signature) {
      const claimed = Buffer.from(signature, "base64url");
      const expected = digest(text);
      // One signature, one spelling: base64url decoders forgive stray bits and characters.
      return (
        claimed.length === expected.length &&
        timingSafeEqual(claimed, expected) &&
        claimed.toString("base64url") === signature
      );
    },
  };
}
