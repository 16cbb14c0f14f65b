/** GET /v1/files/:fileId/passages */
import { Elysia } from "elysia";
import { fail } from "../../foundation/errors.ts";
import { readPassageRange, readPassages } from "../../operations/passages.ts";
import { endpoint, unparsed } from "../endpoint.ts";
import { queryOf } from "../request-address.ts";
import type { Service } from "../service.ts";

const PATH = "/v1/files/:fileId/passages";

export function passageRoutes(service: Service) {
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
        exchange.checkNames(query.keys(), ["from", "limit"]);
        const range = readPassageRange(query.get("from"), query.get("limit"));
        const { passages, total } = readPassages(service.engines, caller, fileId, range);
        return exchange.json({ success: true, data: passages, total });
      },
    ),
    unparsed,
  );
}
