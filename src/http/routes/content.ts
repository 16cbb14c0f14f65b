/** GET and HEAD /v1/files/:fileId/content: the uploaded bytes, for whoever holds a signed link, or a key or token of their owner. */
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { checkIntact } from "../../files/index.ts";
import { isValidLink } from "../../operations/links.ts";
import { findAnyFile, findBytes, type FileBytes } from "../../operations/list.ts";
import { readByteRange } from "../byte-range.ts";
import { attachment } from "../content-disposition.ts";
import { hasCredential } from "../credentials.ts";
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
  const file = await findContent(exchange);
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
async function intactBytes({ service }: Exchange, file: FileBytes, path: string): Promise<Bun.BunFile> {
  try {
    await checkIntact(path, file);
    return Bun.file(path);
  } catch (error) {
    if (findBytes(service.engines, file.fileId) === null) throw fail("FILE_NOT_FOUND");
    throw fail("INTERNAL", {}, undefined, error);
  }
}

/** The file that a signed link is for, or whose owner asks with a credential. A signature that is sent is what counts. */
async function findContent(exchange: Exchange): Promise<FileBytes> {
  const { service, request, params } = exchange;
  const { engines } = service;
  const fileId = params.fileId ?? "";
  const query = queryOf(request);
  if (query.has("signature") || !hasCredential(request.headers)) {
    // Before it is told whether there is such a file.
    if (!isValidLink(engines.access, fileId, query.get("expires") ?? "", query.get("signature") ?? ""))
      throw fail("PERMISSION_DENIED");
  } else {
    const caller = await exchange.identify("any");
    exchange.take(caller, "free", 1);
    findAnyFile(engines, caller, fileId);
  }
  const file = findBytes(engines, fileId);
  if (file === null) throw fail("FILE_NOT_FOUND");
  return file;
}
