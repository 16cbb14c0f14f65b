/** Tells work that nobody waits for its answer any more, and whose doing that is: it decides who pays. */
import { shuttingDown, type Service } from "./service.ts";

/**
 * A controller that follows a request's connection. Its reason is SHUTTING_DOWN when this server closes the connection as it stops,
 * else what the connection says, an AbortError: the client went away.
 */
export function followConnection(service: Service, { signal }: Request): AbortController {
  const controller = new AbortController();
  const follow = (): void => controller.abort(reasonOfEnd(service, signal.reason));
  if (signal.aborted) follow();
  else signal.addEventListener("abort", follow, { once: true });
  return controller;
}

/** Why a connection ended: `otherwise`, unless this server is stopping. */
export function reasonOfEnd(service: Service, otherwise: unknown): unknown {
  return service.isStopping ? shuttingDown() : otherwise;
}
