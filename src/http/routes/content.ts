/** GET and HEAD /v1/files/:fileId/content: the uploaded bytes, for whoever holds a signed link. */
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { checkIntact } from "../../files/index.ts";
import { isValidLink } from "../../operations/links.ts";
import type { StoredFile } from "../../store/index.ts";
import { readByteRange } from "../byte-range.ts";
import { attachment } from "../content-disposition.ts";
import { openEndpoint, unparsed } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";

const PATH = "/v1/files/:fileId/content";

export function contentRoutes(service: Service) {
  return new Elysia()
    .get(PATH, openEndpoint(service, `GET ${PATH}`, answerContent), unparsed)
    .route("HEAD", PATH, openEndpoint(service, `HEAD ${PATH}`, answerContent), unparsed);
}

/** For HEAD the server itself leaves the body out and keeps its length. */
async function answerContent(exchange: Exchange): Promise<Response> {
  const file = findLinkedFile(exchange);
  const { storage } = exchange.service.engines;
  exchange.service.allowIdle(exchange.request, 0);
  const bytes = await intactBytes(exchange, file, storage.resolve(file.storagePath));

  const { headers, request } = exchange;
  // A file never changes under its id, so the id is its validator.
  const tag = `"${file.fileId}"`;
  headers["content-type"] = file.mimeType ?? "application/octet-stream";
  headers["content-disposition"] = attachment(file.originalName);
  headers["content-security-policy"] = "sandbox; default-src 'none'";
  headers["cache-control"] = "private, no-cache";
  headers["accept-ranges"] = "bytes";
  headers.etag = tag;

  const { size } = bytes;
  const condition = request.headers.get("if-range");
  const range = condition === null || condition === tag ? readByteRange(request.headers.get("range"), size) : "whole";
  if (range === "unsatisfiable") {
    headers["content-range"] = `bytes */${size}`;
    headers["content-type"] = "application/json; charset=utf-8";
    return exchange.json(
      { error: "INVALID_REQUEST", message: "The range lies beyond the end of the file.", details: { size } },
      416,
    );
  }
  if (range === "whole") return new Response(bytes, { headers });
  headers["content-range"] = `bytes ${range.start}-${range.end}/${size}`;
  return new Response(bytes.slice(range.start, range.end + 1), { status: 206, headers });
}

/** Throws FILE_NOT_FOUND for a file that was deleted a moment ago, INTERNAL when the bytes are not those that were uploaded. */
async function intactBytes({ service }: Exchange, file: StoredFile, path: string): Promise<Bun.BunFile> {
  try {
    await checkIntact(path, file);
    return Bun.file(path);
  } catch (error) {
    if (service.engines.store.fileById(file.fileId) === null) throw fail("FILE_NOT_FOUND");
    throw fail("INTERNAL", {}, undefined, error);
  }
}

/** Throws PERMISSION_DENIED before it tells whether there is such a file, then FILE_NOT_FOUND. */
function findLinkedFile({ service, request, params }: Exchange): StoredFile {
  const { fileId } = params;
  const query = queryOf(request);
  if (!fileId || !isValidLink(service.engines.access, fileId, query.get("expires") ?? "", query.get("signature") ?? ""))
    throw fail("PERMISSION_DENIED");
  const file = service.engines.store.fileById(fileId);
  if (file === null) throw fail("FILE_NOT_FOUND");
  return file;
}
