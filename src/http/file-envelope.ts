/**
 * The envelope of file operations. A long listing is sent page by page, as the client takes it: it neither holds up other requests nor
 * lies in memory as a whole.
 */
import type { FileListing } from "../operations/list.ts";
import { fileJson, type ShownFile } from "../operations/file-object.ts";
import { letOthersIn } from "../foundation/let-others-in.ts";
import { PAGE_SIZE } from "../operations/paging.ts";
import type { Exchange } from "./exchange.ts";

/** `{"success": true, "files", "message"}`. */
export function answerFiles(exchange: Exchange, message: string, files: readonly ShownFile[], status = 200): Response {
  return answerPages(exchange, () => message, { pages: inPages(files), nextCursor: null }, status);
}

/**
 * The same, with files that are read while they are sent; `message` is told how many there were. What one page holds is sent at once.
 * A listing in parts ends with `nextCursor`.
 */
export function answerPages(
  exchange: Exchange,
  message: (count: number) => string,
  {
    pages,
    nextCursor,
  }: { readonly pages: Iterable<readonly ShownFile[]>; readonly nextCursor: FileListing["nextCursor"] },
  status = 200,
): Response {
  const end = (count: number) =>
    JSON.stringify({ message: message(count), ...(nextCursor !== null && { nextCursor: nextCursor() }) }).slice(1);
  const parts = writeEnvelope(pages, end);
  const first = parts.next();
  const second = parts.next();
  return second.done
    ? exchange.text(first.value!, status)
    : exchange.parts(send(exchange, [first.value!, second.value], parts), status);
}

/** "1 file", "3 files". */
export function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

/** One part for each page; the last ends the envelope by what `end` gives, told how many files there were. */
function* writeEnvelope(
  pages: Iterable<readonly ShownFile[]>,
  end: (count: number) => string,
): Generator<string, undefined> {
  let part = '{"success":true,"files":[';
  let count = 0;
  for (const page of pages) {
    if (count > 0) {
      yield part;
      part = page.length > 0 ? "," : "";
    }
    part += page.map(fileJson).join(",");
    count += page.length;
  }
  yield `${part}],${end(count)}`;
}

/** A body that a stopping server waits for. Where a page cannot be read, it breaks off so that the client takes nothing for the end. */
async function* send(
  { service, requestId }: Exchange,
  begun: readonly string[],
  rest: Iterable<string>,
): AsyncGenerator<string> {
  service.enter();
  try {
    yield* begun;
    for (const part of rest) {
      yield part;
      await letOthersIn();
    }
  } catch (error) {
    service.log.error("A listing broke off", { requestId, cause: error });
    throw error;
  } finally {
    service.leave();
  }
}

function* inPages(files: readonly ShownFile[]): Generator<readonly ShownFile[]> {
  for (let start = 0; start === 0 || start < files.length; start += PAGE_SIZE)
    yield files.slice(start, start + PAGE_SIZE);
}
