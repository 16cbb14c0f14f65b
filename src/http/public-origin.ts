/** The origin that addresses in answers begin with. */
import type { Exchange } from "./exchange.ts";
import { originOf } from "./request-address.ts";

/** The one that the operator chose, else the request's own. */
export function publicOrigin({ service, request }: Exchange): string {
  return service.options.publicUrl ?? originOf(request, service.certificateExpires !== null);
}
