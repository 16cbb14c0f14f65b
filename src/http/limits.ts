/** Body sizes: refused by what is declared before anything is read, and by what arrives when nothing is declared. */
import { fail, type LecternError } from "../foundation/errors.ts";

/** Throws PAYLOAD_TOO_LARGE when the declared length is beyond `limit` bytes. */
export function checkDeclaredSize(headers: Headers, limit: number): void {
  const declared = headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw tooLarge("The request body", limit);
}

/** Whether the size of a body can only be known by reading it. */
export function isUndeclared(request: Request): boolean {
  return request.body !== null && request.headers.get("content-length") === null;
}

/** Reads a body of undeclared length as UTF-8 text. Throws PAYLOAD_TOO_LARGE as soon as more than `limit` bytes came, and reads no further. */
export async function readCapped(body: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel();
      throw tooLarge("The request body", limit);
    }
    text += decoder.decode(value, { stream: true });
  }
}

export function tooLarge(what: string, limit: number): LecternError {
  return fail("PAYLOAD_TOO_LARGE", { what, limit }, { limit });
}
