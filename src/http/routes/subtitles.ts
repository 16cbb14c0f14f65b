/** GET /v1/files/:fileId/subtitles */
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { findSubtitles, readSubtitleFormat, type SubtitleFormat } from "../../operations/subtitles.ts";
import { attachment } from "../content-disposition.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";

const PATH = "/v1/files/:fileId/subtitles";
const TYPES: Readonly<Record<SubtitleFormat, string>> = {
  srt: "application/x-subrip; charset=utf-8",
  vtt: "text/vtt; charset=utf-8",
};

export function subtitleRoutes(service: Service) {
  return new Elysia().get(
    PATH,
    endpoint(
      service,
      { route: `GET ${PATH}`, credential: "any", needs: "read", body: "none", bucket: "free" },
      (exchange, caller) => {
        const { fileId } = exchange.params;
        // A path segment that cannot be decoded names no file.
        if (!fileId) throw fail("FILE_NOT_FOUND");
        const query = queryOf(exchange.request);
        exchange.checkNames(query.keys(), ["format"]);
        const format = readSubtitleFormat(query.get("format"));
        const { name, parts } = findSubtitles(service.engines, caller, fileId, format);
        exchange.headers["content-type"] = TYPES[format];
        exchange.headers["content-disposition"] = attachment(name);
        return exchange.parts(parts);
      },
    ),
    unparsed,
  );
}
