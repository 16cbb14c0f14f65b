/**
 * A form of fields and files (RFC 7578). Where programs run outside a browser it is sent while its files are read, so that none lies in
 * memory; a browser sends Blobs so by itself, and takes nothing else.
 */
import type { Body } from "./transport.ts";
import type { Part } from "./upload-file.ts";

/** Node, Bun and Deno. */
const sendsStreams =
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

/** A browser gets its own form, anything else one that is streamed. Throws TypeError in a browser for a file that is no Blob. */
export function formBody(fields: ReadonlyMap<string, string>, files: readonly Part[]): Body {
  return sendsStreams ? streamedForm(fields, files) : platformForm(fields, files);
}

/** Throws TypeError for a file that is no Blob. */
export function platformForm(fields: ReadonlyMap<string, string>, files: readonly Part[]): Body {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  for (const { blob, name, type } of files) {
    if (blob === null)
      throw new TypeError(`Browsers send no streams: give the content of ${JSON.stringify(name)} as a Blob or File.`);
    form.append("file", blob.type === type ? blob : blob.slice(0, blob.size, type), name);
  }
  return { content: form, headers: {}, failure: () => undefined };
}

function streamedForm(fields: ReadonlyMap<string, string>, files: readonly Part[]): Body {
  const boundary = `lectern-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const head = (disposition: string, more = ""): Uint8Array =>
    encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`);
  const texts = [...fields].map(([name, value]) => [
    head(`name="${escapeName(name)}"`),
    encoder.encode(`${value}\r\n`),
  ]);
  const heads = files.map(({ name, type }) =>
    head(`name="file"; filename="${escapeName(name)}"`, `Content-Type: ${type.replace(/[\r\n]/g, "")}\r\n`),
  );
  const gap = encoder.encode("\r\n");
  const end = encoder.encode(`--${boundary}--\r\n`);

  let failure: unknown;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (const text of texts) yield* text;
      for (const [at, file] of files.entries()) {
        yield heads[at]!;
        yield* contentOf(file);
        yield gap;
      }
      yield end;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const known = files.every(({ size }) => size !== null);
  const length =
    [...texts.flat(), ...heads, end].reduce((sum, { length }) => sum + length, 0) + files.length * gap.length;
  return {
    content: streamOf(chunks()),
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      ...(known && { "content-length": String(files.reduce((sum, { size }) => sum + size!, length)) }),
    },
    failure: () => failure,
  };
}

/** Throws where a file is not as long as it was said to be, so that no half of it is stored. */
async function* contentOf({ name, size, open }: Part): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const bytes of await open()) {
    sent += bytes.length;
    if (size !== null && sent > size) break;
    if (bytes.length > 0) yield bytes;
  }
  if (size !== null && sent !== size) throw new Error(`${JSON.stringify(name)} changed while it was sent.`);
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

/** As browsers write names (HTML, section 4.10.22.8). */
const escapeName = (name: string): string => name.replace(/\n/g, "%0A").replace(/\r/g, "%0D").replace(/"/g, "%22");
